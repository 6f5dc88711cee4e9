#include "cli/asking.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/decimal.hpp"
#include "cli/progress.hpp"
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

study::CatalogRule catalog_rule(const Arguments& arguments) {
  study::CatalogRule rule;
  if (arguments.has("--catalogs")) rule.folders.emplace_back(arguments.one("--catalogs"));
  if (arguments.has("--catalog")) rule.only = arguments.one("--catalog");
  return rule;
}

std::vector<Option> with_catalogs(std::vector<Option> options) {
  options.push_back({"--catalogs", Takes::one_value, "DIR",
                     "only a catalog inside of this folder counts, links followed; likewise VERNIER_CATALOGS"});
  return options;
}

std::vector<Option> with_study_catalog(std::vector<Option> options) {
  options.push_back(
      {"--catalog", Takes::one_value, "FILE", "the only catalog that counts: the study names this one, or none"});
  return with_catalogs(std::move(options));
}

study::Request request_of(const Arguments& arguments, study::MakeDocuments documents) {
  study::Request request{.documents = std::move(documents)};
  if (arguments.has("--analyst")) request.analyst = arguments.one("--analyst");
  if (arguments.has("--request")) request.request = arguments.one("--request");
  return request;
}

std::vector<Option> with_asker(std::vector<Option> options) {
  options.push_back(
      {"--analyst", Takes::one_value, "NAME", "who asks: whose share of the budget pays, where there are shares"});
  options.push_back({"--request", Takes::one_value, "ID",
                     "an id of your own: asked again with it, the same answer is given and nothing is charged"});
  return options;
}

Result<study::Answer> release_watched(const study::Plan& plan, study::Request request) {
  TerminalProgress terminal("running");
  request.progress = terminal.watching();
  return plan.release(request);
}

}  // namespace vernier::cli
