#include "ledger/races/forgery.hpp"

#include <set>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace vernier::testing {
namespace {

namespace fs = std::filesystem;

// A copy of the original, with its witness, in a folder that is used again and again.
void copy_original(const Original& original, const fs::path& to) {
  fs::remove_all(to);
  fs::create_directories(to);
  for (const char* name : {"ledger", "witness"}) fs::copy_file(original.folder / name, to / name);
}

bool is_safe(const Forgery& forgery, const Finding& finding) {
  const std::string_view name = forgery.name;
  const bool may_be_silent = name == "a document" || name == "no document" || name == "a bit";
  const bool may_be_unchanged = name == "a bit" || name == "no log";  // bytes that nothing rests on
  switch (finding.verdict) {
    case Verdict::refused:
      return true;
    case Verdict::silenced:
      return may_be_silent;
    case Verdict::unchanged:
      return may_be_unchanged;
    case Verdict::forgotten:
      return name == "a bit";  // in an index, on which no balance rests
    default:
      return false;
  }
}

struct Trial {
  std::map<std::string, std::map<Verdict, int>> counts = {};
  std::string first_fault = {};
};

Trial forge(const Original& original, const fs::path& folder, int times, std::uint64_t seed, bool with_witness) {
  Trial trial;
  Chance chance(seed);
  for (int i = 0; i < times; ++i) {
    const Forgery& forgery = forgeries()[static_cast<std::size_t>(i) % forgeries().size()];
    copy_original(original, folder);
    const std::string what = forgery.commit(original, folder, chance);
    const ledger::WitnessPlace witness{.file = with_witness ? folder / "witness" : fs::path()};
    const Finding finding = finding_of(original, folder, witness);
    ++trial.counts[forgery.name][finding.verdict];
    if (is_safe(forgery, finding) || !trial.first_fault.empty()) continue;
    trial.first_fault = std::string(forgery.name) + ": " + what + ": " + finding.words;
  }
  return trial;
}

std::string counted(const Trial& trial) {
  std::string text;
  for (const auto& [name, verdicts] : trial.counts) {
    text += name + ":";
    for (const auto& [verdict, number] : verdicts) {
      const char* words[] = {" refused ", " silenced ", " unchanged ", " forgotten ", " accepted "};
      text += words[static_cast<std::size_t>(verdict)] + std::to_string(number);
    }
    text += "\n";
  }
  return text;
}

void expect_all_found(int releases, int times, std::uint64_t seed) {
  const TemporaryFolder folder(quick_folder());
  const Original original = make_original(folder.path() / "original", releases);
  ASSERT_EQ(told(faults_of(original.content, forged_terms)), "");
  const Trial trial = forge(original, folder.path() / "forged", times, seed, true);
  EXPECT_EQ(trial.first_fault, "") << counted(trial);
  EXPECT_EQ(trial.counts.size(), forgeries().size());
}

TEST(Forgery, EveryKindIsFound) { expect_all_found(12, 52, 1); }

TEST(SlowForgery, AThousandLedgersAreRefused) {
  expect_all_found(30, 900, 2);
  expect_all_found(620, 104, 3);  // with copies that are 1,000 entries old
}

TEST(HeavyForgery, ThousandsOfLedgersAreRefused) { expect_all_found(30, 4500, 4); }
TEST(HeavyForgery, ThousandsMoreAreRefused) { expect_all_found(30, 4500, 5); }
TEST(HeavyForgery, ThousandLongLedgersAreRefused) { expect_all_found(620, 1040, 6); }

TEST(Forgery, NothingIsFoundInTheOriginal) {
  const TemporaryFolder folder(quick_folder());
  const Original original = make_original(folder.path() / "original", 12);
  copy_original(original, folder.path() / "copy");
  const Finding finding = finding_of(original, folder.path() / "copy", {.file = folder.path() / "copy" / "witness"});
  EXPECT_EQ(finding.verdict, Verdict::unchanged) << finding.words;
}

// A program that does not look at the witness opens older copies, with more budget than there is; the same check finds
// it.
TEST(MutantOfForgery, IgnoresTheWitnessAndIsFound) {
  const TemporaryFolder folder(quick_folder());
  const Original original = make_original(folder.path() / "original", 12);
  const Trial trial = forge(original, folder.path() / "forged", 52, 6, false);
  EXPECT_NE(trial.first_fault, "");
  for (const char* kind : {"an older copy", "an end cut off", "a new history"}) {
    EXPECT_TRUE(trial.counts.at(kind).contains(Verdict::accepted)) << counted(trial);
  }
}

}  // namespace
}  // namespace vernier::testing
