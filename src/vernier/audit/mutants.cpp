#include "vernier/audit/mutants.hpp"

#include <array>
#include <charconv>
#include <map>
#include <set>
#include <vector>

namespace vernier::audit {
namespace {

constexpr std::string_view twin = "SlowTwin.FindsEveryPlantedMistake";
constexpr std::string_view response = "DirectedResponse.FindsEveryPlantedMistake";

// The one list: the program says it, docs/theory/audit.md shows it, and a test of the house holds both to the tree.
constexpr std::array<Mutant, 40> all_mutants = {{
    {1, "scale halved", "audit_test", "AuditMutants.HalfTheScaleIsRefuted"},
    {2, "sensitivity halved", "twin_test", twin},
    {3, "no clamp", "twin_test", twin},
    {4, "clamp computed, raw data used", "twin_test", twin},
    {5, "lower bound used twice", "twin_test", twin},
    {6, "no bound, no noise", "twin_test", twin},
    {7, "max_groups ignored", "twin_test", twin},
    {8, "max_rows ignored", "twin_test", twin},
    {9, "rows of units merged while bounding", "twin_test", twin},
    {10, "bounds kept after redefinition", "twin_test", twin},
    {11, "fan-out of a join ignored", "twin_test", "SlowTwin.FindsPlantedMistakesInJoins"},
    {12, "AVG charged as one count", "twin_test", twin},
    {13, "variance taken for the scale", "audit_test", "AuditMutants.VarianceInPlaceOfTheScaleIsRefuted"},
    {14, "threshold of keys too low by one", "audit_test", "AuditMutants.ThresholdTooLowByOneIsRefuted"},
    {15, "bounded range claimed for a choice without it", "refute_test",
     "BoundedRange.IsRefutedWhereAMechanismDoesNotHaveIt"},
    {16, "single precision", "twin_test", twin},
    {17, "integers wrap", "twin_test", twin},
    {18, "sums in floating point", "twin_test", twin},
    {19, "textbook Laplace noise", "refute_test", "Lattice.PorosityAttackCatchesTheTextbook"},
    {20, "noise added in floating point", "refute_test", "Lattice.PrecisionAttackCatchesFloatSums"},
    {21, "buffer of random bits kept over a fork", "random_test",
     "Fork.OfAStreamThatKeepsItsBufferIsCaughtByTheSameCheck"},
    {22, "one draw for two columns", "audit_test", "AuditMutants.OneDrawForTwoColumnsIsRefuted"},
    {23, "keys from the data without delta", "audit_test", "AuditMutants.KeysWithoutAThresholdAreRefuted"},
    {24, "strict cast in the engine's SQL", "response_test", response},
    {25, "the engine's message passed on", "response_test", response},
    {26, "rows in the engine's order", "response_test", response},
    {27, "groups that share units taken for disjoint", "twin_test", twin},
    {28, "loss distribution rounded down", "refute_test", "Composition.IsNotMistakenForALatticeThatRoundsDown"},
    {29, "negative mass of a transform forgotten", "refute_test",
     "Composition.IsNotMistakenForATransformThatForgetsNegativeMass"},
    {30, "conversion of zCDP rounded down", "accounting_test", "Zcdp.IsNotMistakenForAConversionThatRoundsDown"},
    {31, "epsilon added up in doubles", "refute_test", "Money.IsNotMistakenForDoubles"},
    {32, "lock of the ledger removed", "ledger_race_test", "MutantThread.WithoutTheLockOverspendsAndIsFound"},
    {33, "debit after the release", "ledger_race_test", "MutantOfKill.AnswersBeforeTheDebitAndIsFound"},
    {34, "no sync of the disk", "ledger_fault_test", "PowerCut.IsNoticedWhereTheDiskOnlySaysThatItSyncs"},
    {35, "a retry gets fresh noise for free", "ledger_race_test",
     "Sqlite/MutantOfRequests.AnswersARetryAnewAndIsFound/*"},
    {36, "head of the ledger not checked", "ledger_race_test", "MutantOfForgery.IgnoresTheWitnessAndIsFound"},
    {37, "types from a CSV sniffer", "response_test", response},
    {38, "rows of nobody kept", "twin_test", twin},
    {39, "a price that looks at the number of rows", "response_test", response},
    {40, "sampler whose time depends on its value", "refute_test", "SlowTiming.MutantWhoseWorkGrowsWithItsValueDies"},
}};

}  // namespace

std::span<const Mutant> mutants() { return all_mutants; }

namespace {

namespace fs = std::filesystem;

using Programs = std::map<std::string, std::vector<const Mutant*>>;

Programs by_program() {
  Programs all;
  for (const Mutant& mutant : mutants()) all[std::string(mutant.program)].push_back(&mutant);
  return all;
}

std::string numbers_of(const std::vector<const Mutant*>& list) {
  std::string text;
  for (const Mutant* const mutant : list) text += (text.empty() ? "" : ", ") + std::to_string(mutant->number);
  return text;
}

std::set<std::string_view> tests_of(const std::vector<const Mutant*>& list) {
  std::set<std::string_view> tests;
  for (const Mutant* const mutant : list) tests.insert(mutant->test);
  return tests;
}

std::string filter_of(const std::vector<const Mutant*>& list) {
  std::string text = "--gtest_filter=";
  for (const std::string_view test : tests_of(list)) text += std::string(test) + ":";
  return text;
}

// How many tests a program says that it passed.
std::size_t passed(std::string_view printed) {
  constexpr std::string_view words = "[  PASSED  ] ";
  const std::size_t at = printed.find(words);
  std::size_t number = 0;
  if (at != std::string_view::npos) {
    const std::string_view rest = printed.substr(at + words.size());
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
  }
  return number;
}

Finding untried(const std::string& program, const std::vector<const Mutant*>& list, std::string why) {
  return {.claim = (list.size() == 1 ? "planted mistake " : "planted mistakes ") + numbers_of(list),
          .trials = static_cast<std::int64_t>(list.size()),
          .of = "mistakes",
          .outcome = std::move(why),
          .caught = "each of them, by " + program,
          .verdict = Verdict::not_tried};
}

Finding missed(const std::string& program, const std::vector<const Mutant*>& list, std::string how) {
  Finding finding = untried(program, list, std::move(how));
  finding.verdict = Verdict::refuted;
  return finding;
}

// On a machine that is busy with other things: nothing speaks against the installation, and nothing for its tests.
constexpr std::chrono::minutes longest{20};
Finding unended(const std::string& program, const std::vector<const Mutant*>& list, const Error& why) {
  Finding finding = untried(program, list, program + ": " + why.sentence());
  finding.verdict = Verdict::powerless;
  return finding;
}

// A test that a program does not have is passed over without a word, so it must say how many passed.
Finding judged(const std::string& program, const std::vector<const Mutant*>& list, const Ran& ran) {
  const bool are_found = ran.code == 0 && passed(ran.printed) >= tests_of(list).size();
  if (!are_found) return missed(program, list, program + " does not find all of them");
  Finding finding = untried(program, list, "each was planted and found");
  finding.verdict = Verdict::stands;
  return finding;
}

Result<Finding> run(const fs::path& folder, const std::string& program, const std::vector<const Mutant*>& list) {
  std::error_code ignored;
  const fs::path path = fs::absolute(folder / program, ignored);
  if (!fs::exists(path, ignored)) return untried(program, list, "there is no " + program + " in the folder");
  VERNIER_TRY(const Folder own, Folder::make());
  const Result<Ran> ran = Program({path.string()}, own.path()).run(own.path(), {filter_of(list)}, {.longest = longest});
  if (!ran) return unended(program, list, ran.error());
  return judged(program, list, *ran);
}

}  // namespace

Result<Section> audited_mutants(const std::optional<std::filesystem::path>& folder, const Timekeeper& time) {
  Section section{.name = "mutants",
                  .title = "The tests find the mistakes that others made",
                  .question =
                      "Forty mistakes by which privacy was lost elsewhere are planted by the tests of this version, "
                      "and each must be found. None of them is in this program."};
  for (const auto& [program, list] : by_program()) {
    VERNIER_TRY(time.tell());
    if (!folder) {
      section.findings.push_back(untried(program, list, "planted in the tests of this version, not in this program"));
      continue;
    }
    VERNIER_TRY(Finding finding, run(*folder, program, list));
    section.findings.push_back(std::move(finding));
  }
  return section;
}

}  // namespace vernier::audit
