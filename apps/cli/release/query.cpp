#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/release/documents.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {
Usage query_usage() {
  return {.name = "query",
          .summary = "one statement, released at once with intervals; it spends budget of the catalog",
          .synopsis =
              "vernier query --catalog C.toml \"SELECT ...\" [--epsilon E [--delta D]] [--accuracy A]\n"
              "                [--catalogs DIR] [--alpha P] [--max-groups M] [--max-rows R] [--typical-rows N]\n"
              "                [--analyst NAME] [--request ID] [--json]",
          .subject = "SELECT",
          .subject_help = "the statement, in quotes",
          .options = with_catalogs(
              with_asker(with_statement({{"--catalog", Takes::one_value, "FILE", "the catalog of the data"}}))),
          .example =
              "  vernier query --catalog catalog.toml \"SELECT COUNT(*) AS people FROM people\" --epsilon 0.1\n"
              "  vernier query --catalog catalog.toml \"SELECT region, AVG(income) AS income FROM people GROUP BY "
              "region\" --accuracy 800 --json\n"};
}

Result<void> run_query(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const study::Study study, asked_statement(arguments, "query"));
  VERNIER_TRY(const study::Plan plan, study.plan());
  tell_assumed_limits(study, "write --max-rows R and --max-groups M");
  VERNIER_TRY(const study::Answer answer,
              release_watched(plan, request_of(arguments, documents_beside(Files::answer()))));
  write_answer(output, answer, arguments.has("--json"));
  return {};
}

}  // namespace vernier::cli
