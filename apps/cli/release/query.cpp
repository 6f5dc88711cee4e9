#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/release/documents.hpp"
#include "vernier/study/plan.hpp"

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

// The catalog is read once, and so is the statement, whose columns --accuracy names.
Result<study::Study> asked_by(const Arguments& arguments) {
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::read(arguments.one("--catalog"), catalog_rule(arguments)));
  VERNIER_TRY(query::Query query, catalog.parse(arguments.subject));
  VERNIER_TRY(const study::Question question, question_of(arguments, std::move(query), arguments.subject));
  return study::Study::of("query", question, catalog);
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
  VERNIER_TRY(const study::Study study, asked_by(arguments));
  VERNIER_TRY(const study::Plan plan, study.plan());
  VERNIER_TRY(const study::Answer answer,
              release_watched(plan, request_of(arguments, documents_beside(Files::answer()))));
  write_answer(output, answer, arguments.has("--json"));
  return {};
}

}  // namespace vernier::cli
