#include "vernier/audit/mutants.hpp"

#include <charconv>
#include <map>
#include <set>
#include <vector>

namespace vernier::audit {
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

// A test that a program does not have is passed over without a word, so it must say how many passed.
Finding judged(const std::string& program, const std::vector<const Mutant*>& list, const Ran& ran) {
  Finding finding = untried(program, list, "each was planted and found");
  const bool are_found = ran.code == 0 && passed(ran.printed) >= tests_of(list).size();
  finding.verdict = are_found ? Verdict::stands : Verdict::refuted;
  if (finding.verdict == Verdict::refuted) finding.outcome = program + " does not find all of them";
  return finding;
}

Result<Finding> run(const fs::path& folder, const std::string& program, const std::vector<const Mutant*>& list) {
  std::error_code ignored;
  const fs::path path = fs::absolute(folder / program, ignored);
  if (!fs::exists(path, ignored)) return untried(program, list, "there is no " + program + " in the folder");
  VERNIER_TRY(const Folder own, Folder::make());
  const Result<Ran> ran = Program(path, own.path()).run(own.path(), {filter_of(list)});
  if (!ran) return untried(program, list, program + " did not end within two minutes");
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
