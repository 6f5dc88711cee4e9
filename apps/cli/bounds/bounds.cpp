#include "cli/bounds/bounds.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/release/query.hpp"
#include "cli/release/release.hpp"
#include "cli/study/publish.hpp"
#include "vernier/core/names.hpp"

namespace vernier::cli {
namespace {

constexpr std::string_view json_name = "bounds.json";

Result<void> check_words(const Arguments& arguments) {
  const std::string example = "; write for example 'vernier bounds catalog.toml people.income --epsilon 0.1'";
  if (arguments.subject.empty()) return invalid("the catalog is missing" + example);
  if (arguments.object.empty()) return invalid("the column is missing" + example);
  if (!arguments.has("--epsilon")) return invalid("--epsilon is missing: say what it may cost" + example);
  return {};
}

// The table whose name, with a point behind it, begins the word; names may have points in them.
const query::Table* table_in(const query::Catalog& catalog, const std::string& word) {
  for (const query::Table& table : catalog.tables) {
    if (fold_case(word).starts_with(fold_case(table.name) + ".")) return &table;
  }
  return nullptr;
}

Failure unknown_table(const query::Catalog& catalog, const std::string& word) {
  std::vector<std::string> names;
  for (const query::Table& table : catalog.tables) names.push_back(table.name);
  const std::size_t point = word.find('.');
  if (point == std::string::npos) {
    return invalid(fmt::format("the column must be written with its table, such as {}.income, but it is '{}'",
                               names.empty() ? "people" : names.front(), one_line(word)));
  }
  const std::string name = word.substr(0, point);
  return invalid(fmt::format("the catalog has no table '{}'{}", one_line(name), suggestion(name, names)));
}

Failure unknown_column(const query::Table& table, const std::string& name) {
  std::vector<std::string> names;
  for (const query::Column& column : table.columns) names.push_back(column.name);
  return invalid(
      fmt::format("the table '{}' has no column '{}'{}", table.name, one_line(name), suggestion(name, names)));
}

Result<BoundsQuestion> question_of(const query::Catalog& catalog, const std::string& word) {
  const query::Table* const table = table_in(catalog, word);
  if (table == nullptr) return unknown_table(catalog, word);
  const std::string name = word.substr(table->name.size() + 1);
  const query::Column* const column = table->column(name);
  if (column == nullptr) return unknown_column(*table, name);
  return plan::bounds_grid(*column).map([&](plan::BoundsGrid grid) {
    return BoundsQuestion{*table, *column, std::move(grid)};
  });
}

// The count of the buckets, as if it were asked by `vernier query`.
Result<AskedStudy> asked_by(const Arguments& arguments, const BoundsQuestion& question) {
  Arguments as_query = arguments;
  as_query.values["--catalog"] = {arguments.subject};
  as_query.subject = plan::bounds_statement(question.table, question.column, question.grid);
  VERNIER_TRY(query::Study study, study_of(as_query, {"n"}));
  study.statistics.front().name = "bounds";
  return ask("bounds of " + question.table.name + "." + question.column.name, std::move(study));
}

// bounds.json, what it was made from, signed, and the text for a person.
MakeDocuments documents_about(const BoundsQuestion& question) {
  return [&question](const AskedStudy& asked, const release::Release& release, const release::SigningKey& key,
                     const ledger::Balance&) -> Result<ledger::Documents> {
    const BoundsAnswer answer = bounds_answer(question, asked, release);
    Output json, report;
    write_bounds_json(json, answer);
    write_bounds_report(report, answer);
    ledger::Documents documents = {{std::string(json_name), json.text()}};
    VERNIER_TRY(add_record(documents, asked, release, key));
    documents.push_back({"report.txt", report.text()});
    return documents;
  };
}

Result<release::Answer> answer_to(Arguments arguments) {
  VERNIER_TRY(const auto counted, catalog_rule(arguments).and_then([&](const CatalogRule& rule) {
    return counted_catalog(arguments.subject, rule);
  }));
  arguments.subject = counted.string();
  VERNIER_TRY(const query::Catalog catalog, query::read_catalog(arguments.subject));
  VERNIER_TRY(const BoundsQuestion question, question_of(catalog, arguments.object));
  VERNIER_TRY(const AskedStudy asked, asked_by(arguments, question));
  const MakeDocuments make = documents_about(question);
  if (arguments.has("--out")) return release_into(arguments.one("--out"), asked, asker_of(arguments), make);
  VERNIER_TRY(const plan::Plan plan, plan::allocate(asked.bound));
  VERNIER_TRY(check_sources(asked));
  return publish(asked, plan, asker_of(arguments), make);
}

}  // namespace

Usage bounds_usage() {
  return {.name = "bounds",
          .summary = "finds bounds for a column privately, and tells how much lies outside; it spends budget",
          .synopsis =
              "vernier bounds CATALOG TABLE.COLUMN --epsilon E [--delta D] [--alpha P] [--max-groups M]\n"
              "                 [--max-rows R] [--out DIR] [--catalogs DIR] [--analyst NAME] [--request ID] [--json]",
          .subject = "CATALOG",
          .subject_help = "the catalog of the data; it is not changed",
          .object = "TABLE.COLUMN",
          .object_help = "an integer, real or date column; where it has bounds, those within are looked for",
          .options = with_catalogs(with_asker(
              {{"--epsilon", Takes::one_value, "E", "what it may cost"},
               {"--delta", Takes::one_value, "D", "likewise; 0 unless given"},
               {"--alpha", Takes::one_value, "P", "the chance that what is told is wrong; 0.05 unless given"},
               {"--max-groups", Takes::one_value, "M", "the buckets in which one unit may count; 1 unless given"},
               {"--max-rows", Takes::one_value, "R", "the rows of one unit that count in one bucket; 1 unless given"},
               {"--out", Takes::one_value, "DIR", "a new folder for bounds.json and the signed release.json"}})),
          .example =
              "  vernier bounds catalog.toml people.income --epsilon 0.1\n"
              "  vernier bounds catalog.toml visits.day --epsilon 0.05 --alpha 0.01 --json\n"};
}

Result<void> run_bounds(const Arguments& arguments, Output& output) {
  if (Result<void> checked = check_words(arguments); !checked) return checked;
  VERNIER_TRY(const release::Answer answer, answer_to(arguments));
  write_answer(output, answer, arguments.has("--json"), json_name);
  if (arguments.has("--out") && !arguments.has("--json"))
    output.write(fmt::format("written to {}\n", one_line(arguments.one("--out"))));
  return {};
}

}  // namespace vernier::cli
