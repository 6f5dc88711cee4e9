#include "cli/query.hpp"

#include <fmt/format.h>

#include "cli/asked_study.hpp"
#include "cli/publish.hpp"
#include "cli/release_documents.hpp"
#include "vernier/query/duckdb_query.hpp"

namespace vernier::cli {
namespace {

Result<void> check_words(const Arguments& arguments) {
  if (!arguments.has("--catalog")) return invalid("--catalog is missing; write for example --catalog catalog.toml");
  if (arguments.subject.empty()) {
    return invalid(
        "the statement is missing; write it in quotes, before the options: vernier query \"SELECT COUNT(*) AS "
        "people FROM people\" --catalog catalog.toml --epsilon 0.1");
  }
  if (!arguments.has("--epsilon") && !arguments.has("--accuracy")) {
    return invalid("say what it may cost or how accurate it is to be: --epsilon E, or --accuracy A");
  }
  if (arguments.has("--delta") && !arguments.has("--epsilon")) {
    return invalid("--delta belongs to --epsilon; give both, or --accuracy alone");
  }
  return {};
}

// With the catalog where it lies, if it is one that counts.
Result<Arguments> with_counted_catalog(Arguments arguments) {
  VERNIER_TRY(const CatalogRule rule, catalog_rule(arguments));
  VERNIER_TRY(const auto counted, counted_catalog(arguments.one("--catalog"), rule));
  arguments.values["--catalog"] = {counted.string()};
  return arguments;
}

Result<std::vector<std::string>> columns_of(const Arguments& arguments) {
  VERNIER_TRY(const query::Catalog catalog, query::read_catalog(arguments.one("--catalog")));
  const Result<query::Query> query = query::read_query(arguments.subject, catalog);
  if (!query) return Failure(query.error());
  std::vector<std::string> columns;
  for (const query::Aggregation& aggregation : query->aggregations) columns.push_back(aggregation.name);
  return columns;
}

Result<AskedStudy> asked_by(const Arguments& arguments) {
  VERNIER_TRY(const std::vector<std::string> columns, columns_of(arguments));
  return study_of(arguments, columns).and_then([](const query::Study& study) { return ask("query", study); });
}

Result<release::Answer> released(const AskedStudy& asked, const Asker& asker) {
  VERNIER_TRY(const plan::Plan plan, plan::allocate(asked.bound));
  VERNIER_TRY(check_sources(asked));
  return publish(asked, plan, asker, make_documents(Files::answer));
}

}  // namespace

Usage query_usage() {
  return {.name = "query",
          .summary = "one statement, released at once with intervals; it spends budget of the catalog",
          .synopsis =
              "vernier query --catalog C.toml \"SELECT ...\" (--epsilon E [--delta D] | --accuracy A)\n"
              "                [--catalogs DIR] [--alpha P] [--max-groups M] [--max-rows R] [--typical-rows N]\n"
              "                [--analyst NAME] [--request ID] [--json]",
          .subject = "SELECT",
          .subject_help = "the statement, in quotes",
          .options = with_catalogs(with_asker(
              {{"--catalog", Takes::one_value, "FILE", "the catalog of the data"},
               {"--epsilon", Takes::one_value, "E", "what it may cost"},
               {"--delta", Takes::one_value, "D", "likewise; 0 unless given. Private keys need one above 0"},
               {"--accuracy", Takes::several_values, "A",
                "the ± wanted, for all columns (50) or by name (people=50 income=800)"},
               {"--alpha", Takes::one_value, "P", "the chance that a number is further off; 0.05 unless given"},
               {"--max-groups", Takes::one_value, "M", "the groups that one unit may touch; 1 unless given"},
               {"--max-rows", Takes::one_value, "R", "the rows of one unit that count in one group; 1 unless given"},
               {"--typical-rows", Takes::one_value, "N",
                "the rows of a group for which the accuracy of AVG is meant; 1000 unless given"}})),
          .example =
              "  vernier query --catalog catalog.toml \"SELECT COUNT(*) AS people FROM people\" --epsilon 0.1\n"
              "  vernier query --catalog catalog.toml \"SELECT region, AVG(income) AS income FROM people GROUP BY "
              "region\" --accuracy 800 --json\n"};
}

Result<void> run_query(const Arguments& arguments, Output& output) {
  if (Result<void> checked = check_words(arguments); !checked) return checked;
  VERNIER_TRY(const AskedStudy asked, with_counted_catalog(arguments).and_then(asked_by));
  VERNIER_TRY(const release::Answer answer, released(asked, asker_of(arguments)));
  write_answer(output, answer, arguments.has("--json"));
  return {};
}

}  // namespace vernier::cli
