#include "cli/ledger/show.hpp"

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/progress.hpp"

namespace vernier::cli {
namespace {

Result<std::vector<std::int64_t>> asked_within(const Arguments& arguments) {
  std::vector<std::int64_t> within;
  if (!arguments.has("--within")) return within;
  for (const std::string& text : arguments.all("--within")) {
    VERNIER_TRY(const std::int64_t accuracy, read_whole("--within", text));
    within.push_back(accuracy);
  }
  VERNIER_TRY(check_within(within));
  return within;
}

}  // namespace

Result<void> check_within(const std::vector<std::int64_t>& within) {
  for (const std::int64_t accuracy : within) {
    if (accuracy >= 1 && accuracy <= study::greatest_within) continue;
    return invalid(fmt::format("--within must be a whole number from 1 to 1e12, but it is '{}'", accuracy));
  }
  return {};
}

Result<void> run_ledger_show(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const study::Text catalog, study::read_text(arguments.object));
  VERNIER_TRY(const std::vector<std::int64_t> within, asked_within(arguments));
  ProgressBar bar(stderr, "replaying");
  VERNIER_TRY(const study::LedgerShow show, study::ledger_show(catalog, within, bar.shown()));
  arguments.has("--json") ? write_ledger_json(output, show) : write_ledger_report(output, show);
  return {};
}

}  // namespace vernier::cli
