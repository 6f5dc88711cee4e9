#include "cli/commands.hpp"

#include "cli/calibrate.hpp"
#include "cli/catalog.hpp"
#include "cli/completion.hpp"
#include "cli/compose.hpp"
#include "cli/law.hpp"

namespace vernier::cli {

// A new command is one line here.
// clang-format off
std::vector<Command> commands() {
  return {
      {calibrate_usage(), run_calibrate},
      {compose_usage(), run_compose},
      {law_usage(), run_law},
      {catalog_usage(), run_catalog},
      {completion_usage(), run_completion},
  };
}
// clang-format on

}  // namespace vernier::cli
