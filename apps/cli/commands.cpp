#include "cli/commands.hpp"

#include "cli/audit.hpp"
#include "cli/bounds.hpp"
#include "cli/calibrate.hpp"
#include "cli/catalog.hpp"
#include "cli/completion.hpp"
#include "cli/compose.hpp"
#include "cli/coverage.hpp"
#include "cli/demo.hpp"
#include "cli/key.hpp"
#include "cli/law.hpp"
#include "cli/ledger.hpp"
#include "cli/plan.hpp"
#include "cli/query.hpp"
#include "cli/release.hpp"
#include "cli/verify.hpp"

namespace vernier::cli {

// A new command is one line here.
// clang-format off
std::vector<Command> commands() {
  return {
      {plan_usage(), run_plan},
      {release_usage(), run_release},
      {query_usage(), run_query},
      {verify_usage(), run_verify},
      {bounds_usage(), run_bounds},
      {key_usage(), run_key},
      {demo_usage(), run_demo},
      {calibrate_usage(), run_calibrate},
      {compose_usage(), run_compose},
      {law_usage(), run_law},
      {coverage_usage(), run_coverage},
      {audit_usage(), run_audit},
      {catalog_usage(), run_catalog},
      {ledger_usage(), run_ledger},
      {completion_usage(), run_completion},
  };
}
// clang-format on

}  // namespace vernier::cli
