#include "vernier/query/study.hpp"

#include <algorithm>
#include <map>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/read/budget.hpp"
#include "vernier/query/read/components.hpp"
#include "vernier/query/read/regression.hpp"
#include "vernier/query/read/statistic.hpp"
#include "vernier/query/read/table_set.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

std::filesystem::path read_catalog_path(TableReader& reader, CatalogOf named_by) {
  const bool is_needed = named_by == CatalogOf::study;
  const TomlNode* const node =
      is_needed ? reader.require("catalog", toml("catalog = \"catalog.toml\"")) : reader.find("catalog");
  const auto path = reader.text("catalog", "catalog.toml");
  if (!path) return {};
  if (const auto fault = fault_of_text(*path)) {
    reader.refuse(node->place, reader.subject("catalog"), "must be the path of the catalog, but " + *fault, {});
  }
  return *path;
}

std::optional<StudyBudget> read_study_budget(TableReader& reader, std::vector<Problem>& problems) {
  const TomlTable* const table = reader.table("budget", toml("{ epsilon = 1.0, delta = 1e-7 }"));
  if (table == nullptr) return std::nullopt;
  TableReader budget(*table, reader.find("budget")->place, "the budget", problems);
  PrivacyBudget found = read_privacy_budget(budget);
  budget.finish();
  return StudyBudget{std::move(found.epsilon), std::move(found.delta)};
}

void refuse_repeated_names(const Study& study, std::vector<Problem>& problems) {
  std::map<std::string, Place> seen;
  const auto look = [&](const char* what, const std::string& name, Place place) {
    const auto [first, is_new] = seen.emplace(fold_case(name), place);
    if (is_new || name.empty()) return;
    problems.push_back({place,
                        std::string(what) + in_quotes(name) + " has the name of " + term(Term::the_one) +
                            in_line(first->second.line) + ", up to case",
                        "give each a name of its own, since files are named so"});
  };
  for (const Statistic& statistic : study.statistics) look("the statistic ", statistic.name, statistic.place);
  for (const TableSet& table : study.tables) look("the table ", table.name, table.place);
}

// A list of what begins with [[key]]; each entry is read by `read`.
template <class Read>
auto read_list(TableReader& reader, std::string_view key, const std::string& example, const Read& read) {
  std::vector<decltype(read(std::declval<const TomlNode&>()))> entries;
  const TomlNode* const node = reader.find(key);
  if (node == nullptr) return entries;
  const auto* const list = std::get_if<TomlArray>(&node->content);
  if (list == nullptr || list->empty()) {
    reader.refuse(node->place, "a study has its " + std::string(key) + "s in a list; write " + example);
    return entries;
  }
  for (const TomlNode& entry : *list) entries.push_back(read(entry));
  return entries;
}

void read_questions(TableReader& reader, Study& study, std::vector<Problem>& problems) {
  const std::string example = term(Term::statistics), example_table = term(Term::table_sets);
  if (const TomlNode* const series = reader.find("series")) {
    return reader.refuse(series->place, "a study with [[series]] is released step by step, and not as a whole",
                         "write vernier release STUDY.toml --step 2027-03-05, or --due");
  }
  const bool has_others =
      reader.find("table") != nullptr || reader.find("regression") != nullptr || reader.find("components") != nullptr;
  if (!has_others) reader.require("statistic", example);
  study.statistics =
      read_list(reader, "statistic", example, [&](const TomlNode& node) { return read_statistic(node, problems); });
  const char* const example_regression =
      "[[regression]] and below it name = \"lines\", from = \"people\", y = \"income\" and x = [\"age\"]";
  for (Statistic& one : read_list(reader, "regression", example_regression,
                                  [&](const TomlNode& node) { return read_regression(node, problems); })) {
    study.statistics.push_back(std::move(one));
  }
  const char* const example_components =
      "[[components]] and below it name = \"spread\", from = \"people\" and columns = [\"age\", \"income\"]";
  for (Statistic& one : read_list(reader, "components", example_components,
                                  [&](const TomlNode& node) { return read_components(node, problems); })) {
    study.statistics.push_back(std::move(one));
  }
  study.tables =
      read_list(reader, "table", example_table, [&](const TomlNode& node) { return read_table_set(node, problems); });
  refuse_repeated_names(study, problems);
}

// Without a budget the accuracies alone say how much is spent.
void check_that_costs_are_stated(const Study& study, bool has_budget, std::vector<Problem>& problems) {
  if (has_budget) return;
  for (const Statistic& statistic : study.statistics) {
    if (!statistic.accuracy.empty()) continue;
    problems.push_back({statistic.place,
                        "the statistic " + in_quotes(statistic.name) + " states no accuracy and the study no budget",
                        term(Term::budget_or_accuracy)});
  }
  for (const TableSet& table : study.tables) {
    if (!table.accuracy.empty()) continue;
    problems.push_back({table.place,
                        "the table " + in_quotes(table.name) + " states no accuracy and the study no budget",
                        term(Term::budget_or_accuracy)});
  }
}

}  // namespace

Reading<Study> examine_study_text(const std::filesystem::path& path, std::string_view text, CatalogOf named_by) {
  const auto document = parse_toml(text);
  if (!document) return {std::nullopt, {document.error()}};
  std::vector<Problem> problems;
  TableReader reader(*document, {}, "the study", problems);
  const std::filesystem::path catalog = read_catalog_path(reader, named_by);
  Rational alpha = read_alpha(reader).value_or(Rational::of_decimal("0.05").value());
  std::optional<StudyBudget> budget = read_study_budget(reader, problems);
  Study study{path, catalog.empty() ? catalog : beside(path, catalog), std::move(alpha), std::move(budget), {}};
  read_questions(reader, study, problems);
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
