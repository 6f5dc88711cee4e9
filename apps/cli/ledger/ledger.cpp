#include "cli/ledger/ledger.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.hpp"
#include "cli/decimal.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

namespace vernier::cli {
namespace {

Result<std::vector<std::int64_t>> asked_within(const Arguments& arguments) {
  std::vector<std::int64_t> within;
  if (!arguments.has("--within")) return within;
  for (const std::string& text : arguments.all("--within")) {
    VERNIER_TRY(const std::int64_t accuracy, read_whole(parameter("within"), text));
    within.push_back(accuracy);
  }
  VERNIER_TRY(check_within(within));
  return within;
}

}  // namespace

Result<void> check_within(const std::vector<std::int64_t>& within) {
  for (const std::int64_t accuracy : within) {
    if (accuracy >= 1 && accuracy <= study::greatest_within) continue;
    return invalid(parameter("within"), fmt::format("must be a whole number from 1 to 1e12, but it is '{}'", accuracy),
                   "");
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

namespace {

struct Action {
  std::string name;
  std::vector<std::string> options;  // that are its own
  Result<void> (*run)(const Arguments&, Output&);
};

const std::vector<Action>& actions() {
  static const std::vector<Action> all = {{"show", {"--within"}, run_ledger_show},
                                          {"history", {"--analyst", "--last"}, run_ledger_history},
                                          {"verify", {"--release"}, run_ledger_verify},
                                          {"export", {"--format", "--out"}, run_ledger_export}};
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Action& action : actions()) names.push_back(action.name);
  return names;
}

Failure unknown_action(const std::string& word) {
  const std::string found =
      word.empty() ? "nothing is said" : fmt::format("it is '{}'{}", word, suggestion(word, names()));
  return invalid(
      fmt::format("what to do must be show, history, verify or export, but {}; see 'vernier ledger --help'", found));
}

// An option that belongs to another action is a mistake, not to be passed over.
Result<void> check_options(const Arguments& arguments, const std::string& name) {
  for (const Action& action : actions()) {
    if (action.name == name) continue;
    for (const std::string& option : action.options) {
      if (!arguments.has(option)) continue;
      return invalid(fmt::format("{} belongs to 'vernier ledger {}'; leave it out", option, action.name));
    }
  }
  if (!arguments.object.empty()) return {};
  return invalid(fmt::format("the catalog is missing; write for example 'vernier ledger {} catalog.toml'", name));
}

}  // namespace

Usage ledger_usage() {
  return {
      .name = "ledger",
      .summary = "what was spent of a budget, by whom and on what, and whether it all holds",
      .synopsis =
          "vernier ledger show CATALOG.toml [--within A ...] [--json]\n"
          "  vernier ledger history CATALOG.toml [--analyst NAME] [--last N] [--json]\n"
          "  vernier ledger verify CATALOG.toml [--release FILE ...] [--json]\n"
          "  vernier ledger export CATALOG.toml [--format jsonl|registry] [--out FILE] [--json]\n"
          "\n"
          "show     what is spent and left, by analyst, study and manner, and as counts that could follow\n"
          "history  every entry, the newest last\n"
          "verify   replays everything and compares it with the witness, the stored answers and published\n"
          "         releases; exits 1 with the first thing that does not hold\n"
          "export   every entry as JSON lines, from which anyone can recompute the chain of hashes, or a\n"
          "         record for the Differential Privacy Deployments Registry\n"
          "All of them only read: nothing is written, and nobody is kept from releasing.",
      .subject = "ACTION",
      .subject_help = "show, history, verify or export",
      .subject_choices = names(),
      .object = "CATALOG.toml",
      .object_help = "the catalog, which names its ledger",
      .options = {{"--within", Takes::several_values, "A", "of show: how many more counts within ±A there could be"},
                  {"--analyst", Takes::one_value, "NAME", "of history: what this analyst paid for"},
                  {"--last", Takes::one_value, "N", "of history: the last N entries"},
                  {"--release", Takes::several_values, "FILE", "of verify: a release.json that was published"},
                  {"--format", Takes::one_value, "F", "of export: jsonl (default) or registry", {"jsonl", "registry"}},
                  {"--out", Takes::one_value, "FILE", "of export: the file that is written"}},
      .example =
          "  vernier ledger show catalog.toml --within 10 100\n"
          "  vernier ledger history catalog.toml --analyst anna --last 20\n"
          "  vernier ledger verify catalog.toml --release published/release.json\n"
          "  vernier ledger export catalog.toml --out entries.jsonl\n"
          "  vernier ledger export catalog.toml --format registry --out census.yaml\n"};
}

Result<void> run_ledger(const Arguments& arguments, Output& output) {
  for (const Action& action : actions()) {
    if (action.name != arguments.subject) continue;
    if (Result<void> checked = check_options(arguments, action.name); !checked) return checked;
    return action.run(arguments, output);
  }
  return unknown_action(arguments.subject);
}

}  // namespace vernier::cli
