#include "cli/bounds/bounds.hpp"

#include <fmt/format.h>

#include "cli/asking.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/release/documents.hpp"
#include "cli/release/query.hpp"
#include "vernier/study/plan.hpp"

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

// bounds.json, which is made from the counts of the record, and the text for a person.
study::MakeDocuments documents_about(const study::BoundsQuestion& question) {
  return [&question](const study::Published& published) -> Result<ledger::Documents> {
    const BoundsAnswer answer = study::bounds_answer(question, published.study, published.release);
    Output json, report;
    write_bounds_json(json, answer);
    write_bounds_report(report, answer);
    return ledger::Documents{{std::string(json_name), json.text()}, {std::string(study::spoken), report.text()}};
  };
}

Result<study::Answer> answer_to(const Arguments& arguments) {
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::read(arguments.subject, catalog_rule(arguments)));
  VERNIER_TRY(const study::BoundsQuestion question, study::BoundsQuestion::of(catalog, arguments.object));
  VERNIER_TRY(const study::Question terms, question_of(arguments, {}, {}));
  VERNIER_TRY(const study::Study study, question.study(catalog, terms));
  VERNIER_TRY(const study::Plan plan, study.plan());
  study::Request request = request_of(arguments, documents_about(question));
  if (arguments.has("--out")) request.folder = arguments.one("--out");
  return release_watched(plan, std::move(request));
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
  VERNIER_TRY(const study::Answer answer, answer_to(arguments));
  write_answer(output, answer, arguments.has("--json"), json_name);
  if (arguments.has("--out") && !arguments.has("--json"))
    output.write(fmt::format("written to {}\n", one_line(arguments.one("--out"))));
  return {};
}

}  // namespace vernier::cli
