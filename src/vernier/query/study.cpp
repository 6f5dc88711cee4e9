#include "vernier/query/study.hpp"

#include <algorithm>
#include <map>

#include "vernier/core/names.hpp"
#include "vernier/query/read/budget.hpp"
#include "vernier/query/read/statistic.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

std::filesystem::path read_catalog_path(TableReader& reader, CatalogOf named_by) {
  const bool is_needed = named_by == CatalogOf::study;
  const TomlNode* const node =
      is_needed ? reader.require("catalog", "catalog = \"catalog.toml\"") : reader.find("catalog");
  const auto path = reader.text("catalog", "catalog.toml");
  if (!path) return {};
  if (const auto fault = fault_of_text(*path)) {
    reader.refuse(node->place, reader.subject("catalog"), "must be the path of the catalog, but " + *fault, {});
  }
  return *path;
}

// accuracy::Alpha takes the same.
Rational read_alpha(TableReader& reader) {
  const Rational least = Rational::of_decimal("1e-300").value(), greatest = Rational::of_decimal("0.999").value();
  auto alpha = reader.number("alpha");
  if (!alpha) return Rational::of_decimal("0.05").value();
  if (*alpha < least || *alpha > greatest) {
    const TomlNode& node = *reader.find("alpha");
    reader.refuse(node.place, reader.subject("alpha"),
                  "must be between 1e-300 and 0.999, such as 0.05, but it is " + described(node), {});
  }
  return *std::move(alpha);
}

std::optional<StudyBudget> read_study_budget(TableReader& reader, std::vector<Problem>& problems) {
  const TomlTable* const table = reader.table("budget", "{ epsilon = 1.0, delta = 1e-7 }");
  if (table == nullptr) return std::nullopt;
  TableReader budget(*table, reader.find("budget")->place, "the budget", problems);
  PrivacyBudget found = read_privacy_budget(budget);
  budget.finish();
  return StudyBudget{std::move(found.epsilon), std::move(found.delta)};
}

void refuse_repeated_names(const std::vector<Statistic>& statistics, std::vector<Problem>& problems) {
  std::map<std::string, Place> seen;
  for (const Statistic& statistic : statistics) {
    const auto [first, is_new] = seen.emplace(fold_case(statistic.name), statistic.place);
    if (is_new || statistic.name.empty()) continue;
    problems.push_back({statistic.place,
                        "the statistic " + in_quotes(statistic.name) + " has the name of the one in line " +
                            std::to_string(first->second.line) + ", up to case",
                        "give each a name of its own, since files are named so"});
  }
}

std::vector<Statistic> read_statistics(TableReader& reader, std::vector<Problem>& problems) {
  const char* const example =
      "[[statistic]] and below it name = \"people\" and sql = \"SELECT COUNT(*) AS people FROM people\"";
  const TomlNode* const node = reader.require("statistic", example);
  if (node == nullptr) return {};
  const auto* const list = std::get_if<TomlArray>(&node->content);
  if (list == nullptr || list->empty()) {
    reader.refuse(node->place, std::string("a study has its statistics in a list; write ") + example);
    return {};
  }
  std::vector<Statistic> statistics;
  for (const TomlNode& entry : *list) statistics.push_back(read_statistic(entry, problems));
  refuse_repeated_names(statistics, problems);
  return statistics;
}

// Without a budget the accuracies alone say how much is spent.
void check_that_costs_are_stated(const Study& study, bool has_budget, std::vector<Problem>& problems) {
  if (has_budget) return;
  for (const Statistic& statistic : study.statistics) {
    if (!statistic.accuracy.empty()) continue;
    problems.push_back({statistic.place,
                        "the statistic " + in_quotes(statistic.name) + " states no accuracy and the study no budget",
                        "write budget = { epsilon = "
                        "1.0, delta = 1e-7 } at the head of the study, or an accuracy here"});
  }
}

}  // namespace

Reading<Study> examine_study_text(const std::filesystem::path& path, std::string_view text, CatalogOf named_by) {
  const auto document = parse_toml(text);
  if (!document) return {std::nullopt, {document.error()}};
  std::vector<Problem> problems;
  TableReader reader(*document, {}, "the study", problems);
  const std::filesystem::path catalog = read_catalog_path(reader, named_by);
  Rational alpha = read_alpha(reader);
  std::optional<StudyBudget> budget = read_study_budget(reader, problems);
  Study study{path, catalog.empty() ? catalog : beside(path, catalog), std::move(alpha), std::move(budget),
              read_statistics(reader, problems)};
  check_that_costs_are_stated(study, reader.find("budget") != nullptr, problems);
  reader.finish();
  return settled(std::move(study), std::move(problems));
}

Result<Reading<Study>> examine_study(const std::filesystem::path& path, CatalogOf catalog) {
  return read_text_file(path).map([&](const std::string& text) { return examine_study_text(path, text, catalog); });
}

Result<Study> read_study(const std::filesystem::path& path, CatalogOf catalog) {
  VERNIER_TRY(Reading<Study> reading, examine_study(path, catalog));
  if (!reading.content) return Failure(problems_in(path, reading.problems));
  return *std::move(reading.content);
}

}  // namespace vernier::query
