#include "cli/demo.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "cli/demo_people.hpp"
#include "cli/file.hpp"
#include "cli/interrupt.hpp"
#include "cli/plan_answer.hpp"
#include "cli/release.hpp"
#include "cli/release_documents.hpp"
#include "cli/release_folder.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

// vernier-demo, or with a number behind it: a demo never touches the files of another.
fs::path folder_for(const Arguments& arguments) {
  if (arguments.has("--out")) return arguments.one("--out");
  fs::path folder = "vernier-demo";
  for (int i = 2; fs::exists(fs::symlink_status(folder)); ++i) folder = fmt::format("vernier-demo-{}", i);
  return folder;
}

// Data, catalog and study, all or nothing.
Result<void> write_demo(const fs::path& place) {
  VERNIER_TRY(random::Source* const source, random::thread_source());
  DemoRandom random(*source);
  const Interrupt interrupt;
  const auto go_on = [&]() -> Result<void> {
    if (interrupt.came()) return fail(ErrorKind::system, "the demonstration was stopped; nothing was written");
    return {};
  };
  VERNIER_TRY(ReleaseFolder folder, ReleaseFolder::begin(place));
  return folder.write("people.csv", demo_people(random))
      .and_then([&] { return folder.write("visits.csv", demo_visits(random)); })
      .and_then([&] { return random.state(); })
      .and_then([&] { return folder.write("catalog.toml", demo_catalog()); })
      .and_then([&] { return folder.write("study.toml", demo_study()); })
      .and_then(go_on)
      .and_then([&] { return folder.finish(); });
}

Result<PlanAnswer> planned(const AskedStudy& asked) {
  VERNIER_TRY(plan::Plan plan, plan::allocate(asked.bound));
  VERNIER_TRY(LedgerState ledger, ledger_state(asked.bound.catalog, plan, ""));
  return PlanAnswer{asked, std::move(plan), std::move(ledger), {}};
}

void tell_files(Output& output, const fs::path& folder) {
  output.write(
      fmt::format("\n{0} has the data (people.csv, visits.csv), what is declared about it (catalog.toml),\n"
                  "what was asked (study.toml) and what was published ({0}/release)\n\n"
                  "look at it: {0}/release/report.html\n"
                  "go on: vernier plan {0}/study.toml --what-if epsilon=0.5:3:6\n"
                  "       vernier verify {0}/release\n"
                  "       vernier ledger show {0}/catalog.toml\n",
                  folder.string()));
}

}  // namespace

Usage demo_usage() {
  return {.name = "demo",
          .summary = "invents a census extract, declares it, plans a study and releases it",
          .synopsis = "vernier demo [--out DIR] [--json]",
          .options = {{"--out", Takes::one_value, "DIR",
                       "the new folder for everything; vernier-demo in the current one unless given"}},
          .example =
              "  vernier demo\n"
              "  vernier demo --out census\n"};
}

Result<void> run_demo(const Arguments& arguments, Output& output) {
  const fs::path folder = folder_for(arguments);
  if (Result<void> written = write_demo(folder); !written) return written;
  VERNIER_TRY(const AskedStudy asked, read_asked_study(folder / "study.toml"));
  VERNIER_TRY(const PlanAnswer plan, planned(asked));
  VERNIER_TRY(const release::Answer answer, release_into((folder / "release").string(), asked, {}));
  if (arguments.has("--json")) {
    write_answer(output, answer, true);
    return {};
  }
  output.write(fmt::format(
      "{} invented people and their visits to hospitals\n\n# The plan, before any data is read\n\n", demo_persons));
  write_plan_report(output, plan);
  output.write("\n# The release\n\n");
  write_answer(output, answer, false);
  tell_files(output, folder);
  return {};
}

}  // namespace vernier::cli
