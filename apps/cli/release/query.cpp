#include "cli/release/query.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/asking.hpp"
#include "cli/decimal.hpp"
#include "cli/release/documents.hpp"
#include "vernier/core/names.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {
namespace {

using numeric::Rational;
using query::Target;

// The number as it was written, once its type has found it in range.
template <class Parameter>
Result<Rational> exact(const Arguments& arguments, std::string_view option) {
  const std::string& text = arguments.one(option);
  VERNIER_TRY(const Decimal decimal, read_decimal(option, text));
  VERNIER_TRY(rounded_down<Parameter>(decimal));
  return Rational::of_decimal(text);
}

template <class Parameter>
Result<Rational> exact_or(const Arguments& arguments, std::string_view option, std::string_view otherwise) {
  return arguments.has(option) ? exact<Parameter>(arguments, option) : Rational::of_decimal(otherwise);
}

Result<Rational> accuracy_in(std::string_view text) {
  VERNIER_TRY(const Decimal decimal, read_decimal("--accuracy", text));
  if (decimal.nearest > 0) return Rational::of_decimal(text);
  return invalid(fmt::format("--accuracy must be above 0, such as 50, but it is '{}'", text));
}

Failure unknown_column(std::string_view name, const std::vector<std::string>& columns) {
  return invalid(fmt::format("--accuracy names the column '{}', but the statement publishes {}; write --accuracy {}=50",
                             name, fmt::join(columns, ", "), columns.front()));
}

// "50", for all columns, or "people=50".
Result<void> add_targets(std::vector<Target>& targets, const std::string& word,
                         const std::vector<std::string>& columns) {
  const std::size_t equals = word.rfind('=');
  VERNIER_TRY(const Rational accuracy, accuracy_in(equals == std::string::npos ? word : word.substr(equals + 1)));
  if (equals == std::string::npos) {
    for (const std::string& column : columns) targets.push_back({column, accuracy, {}});
    return {};
  }
  const std::string name = word.substr(0, equals);
  const auto is_named = [&](const std::string& column) { return fold_case(column) == fold_case(name); };
  if (std::none_of(columns.begin(), columns.end(), is_named)) return unknown_column(name, columns);
  targets.push_back({name, accuracy, {}});
  return {};
}

Result<std::vector<Target>> targets_of(const Arguments& arguments, const std::vector<std::string>& columns) {
  std::vector<Target> targets;
  if (!arguments.has("--accuracy")) return targets;
  for (const std::string& word : arguments.all("--accuracy")) {
    VERNIER_TRY(add_targets(targets, word, columns));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (fold_case(targets[i].column) != fold_case(targets[j].column)) continue;
      return invalid(fmt::format("--accuracy is given twice for the column '{}'; give it once", targets[i].column));
    }
  }
  return targets;
}

Result<std::int64_t> most_of(const Arguments& arguments, std::string_view option, std::int64_t greatest,
                             std::int64_t otherwise = 1) {
  if (!arguments.has(option)) return otherwise;
  const Result<std::int64_t> most = read_whole(option, arguments.one(option));
  if (!most || (*most >= 1 && *most <= greatest)) return most;
  return invalid(fmt::format("{} must be from 1 to {}, but it is {}", option, greatest, *most));
}

Result<std::optional<query::StudyBudget>> budget_of(const Arguments& arguments) {
  if (!arguments.has("--epsilon")) return std::nullopt;
  VERNIER_TRY(const Rational epsilon, exact<privacy::Epsilon>(arguments, "--epsilon"));
  VERNIER_TRY(const Rational delta, exact_or<privacy::Delta>(arguments, "--delta", "0"));
  return query::StudyBudget{epsilon, delta};
}

}  // namespace

Result<study::Question> question_of(const Arguments& arguments, query::Query query, const std::string& sql) {
  std::vector<std::string> columns;
  for (const query::Aggregation& aggregation : query.aggregations) columns.push_back(aggregation.name);
  study::Question question{.query = std::move(query), .sql = sql};
  VERNIER_TRY(question.accuracy, targets_of(arguments, columns));
  VERNIER_TRY(question.max_groups, most_of(arguments, "--max-groups", query::greatest_max_groups));
  VERNIER_TRY(question.max_rows, most_of(arguments, "--max-rows", query::greatest_max_rows));
  VERNIER_TRY(question.typical_rows,
              most_of(arguments, "--typical-rows", query::greatest_typical_rows, query::usual_typical_rows));
  VERNIER_TRY(question.alpha, exact_or<Alpha>(arguments, "--alpha", "0.05"));
  VERNIER_TRY(question.budget, budget_of(arguments));
  return question;
}

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
