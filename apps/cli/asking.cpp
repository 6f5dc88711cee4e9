#include "cli/asking.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli/decimal.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "report/text.hpp"
#include "vernier/core/names.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/targets.hpp"
#include "vernier/query/translate/spelling.hpp"
#include "vernier/query/translate/words.hpp"
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

Result<std::vector<std::string>> statistics_named(const std::string& column, const query::Query& query) {
  return query::statistic_of(query, column).map([](const std::string& one) { return std::vector{one}; });
}

// "50", for all columns, or "people=50".
Result<void> add_targets(std::vector<Target>& targets, const std::string& word, const query::Query& query) {
  const std::size_t equals = word.rfind('=');
  VERNIER_TRY(const Rational accuracy, accuracy_in(equals == std::string::npos ? word : word.substr(equals + 1)));
  const Result<std::vector<std::string>> names =
      equals == std::string::npos ? query::statistics_of_all(query) : statistics_named(word.substr(0, equals), query);
  if (!names) return Failure(after("--accuracy " + word + ": ", names.error()));
  for (const std::string& name : *names) targets.push_back({name, accuracy, {}});
  return {};
}

Result<std::vector<Target>> targets_of(const Arguments& arguments, const query::Query& query) {
  std::vector<Target> targets;
  if (!arguments.has("--accuracy")) return targets;
  for (const std::string& word : arguments.all("--accuracy")) {
    VERNIER_TRY(add_targets(targets, word, query));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (targets[i].column != targets[j].column) continue;
      return invalid(fmt::format("--accuracy is given twice for the column '{}'; give it once", targets[i].column));
    }
  }
  return targets;
}

Result<std::optional<std::int64_t>> most_of(const Arguments& arguments, std::string_view option,
                                            std::int64_t greatest) {
  if (!arguments.has(option)) return std::nullopt;
  VERNIER_TRY(const std::int64_t most, read_whole(option, arguments.one(option)));
  if (most >= 1 && most <= greatest) return most;
  return invalid(fmt::format("{} must be from 1 to {}, but it is {}", option, greatest, most));
}

Result<std::optional<query::StudyBudget>> budget_of(const Arguments& arguments) {
  if (!arguments.has("--epsilon")) return std::nullopt;
  VERNIER_TRY(const Rational epsilon, exact<privacy::Epsilon>(arguments, "--epsilon"));
  VERNIER_TRY(const Rational delta, exact_or<privacy::Delta>(arguments, "--delta", "0"));
  return query::StudyBudget{epsilon, delta};
}

}  // namespace

Result<study::Question> question_of(const Arguments& arguments, query::Query query, const std::string& sql) {
  study::Question question{.query = std::move(query), .sql = sql};
  VERNIER_TRY(question.accuracy, targets_of(arguments, question.query));
  VERNIER_TRY(question.max_groups, most_of(arguments, "--max-groups", query::greatest_max_groups));
  VERNIER_TRY(question.max_rows, most_of(arguments, "--max-rows", query::greatest_max_rows));
  VERNIER_TRY(const auto typical, most_of(arguments, "--typical-rows", query::greatest_typical_rows));
  question.typical_rows = typical.value_or(query::usual_typical_rows);
  VERNIER_TRY(question.alpha, exact_or<Alpha>(arguments, "--alpha", "0.05"));
  VERNIER_TRY(question.budget, budget_of(arguments));
  return question;
}

std::vector<Option> with_statement(std::vector<Option> options) {
  for (Option option : std::vector<Option>{
           {"--epsilon", Takes::one_value, "E", "epsilon of the privacy budget: what it may cost"},
           {"--delta", Takes::one_value, "D", "delta of the privacy budget (default 0); private keys need one above 0"},
           {"--accuracy", Takes::several_values, "A",
            "the ± wanted, for all columns (50) or by name (people=50 income=800); with --epsilon the least budget up "
            "to it is spent, and what needs more is refused"},
           {"--alpha", Takes::one_value, "P", "probability that a number is further off (default 0.05)"},
           {"--max-groups", Takes::one_value, "M", "the groups that one unit may touch (default 1)"},
           {"--max-rows", Takes::one_value, "R", "the rows of one unit that count in one group (default 1)"},
           {"--typical-rows", Takes::one_value, "N",
            "group size for which the accuracy of AVG is stated (default 1000)"}}) {
    options.push_back(std::move(option));
  }
  return options;
}

bool is_statement(const std::string& words) {
  const std::vector<query::Word> found = query::words_of(words);
  std::size_t first = 0;
  while (first < found.size() && found[first].in(words) == "(") ++first;
  const bool begins = query::is_word(words, found, first, "SELECT") || query::is_word(words, found, first, "WITH");
  if (!begins || first + 1 == found.size()) return false;
  const query::Word& next = found[first + 1];
  return next.begin > found[first].end || next.kind != query::WordKind::sign ||
         next.in(words) == "(";  // not select.toml
}

void tell_without_effect(const std::string& sql) {
  for (const std::string& sentence : query::without_effect(sql)) fmt::print(stderr, "vernier: {}\n", sentence);
}

namespace {

Result<void> check_words(const Arguments& arguments, const std::string& command) {
  if (!arguments.has("--catalog")) return invalid("--catalog is missing; write for example --catalog catalog.toml");
  if (arguments.subject.empty()) {
    return invalid("the statement is missing; write it in quotes, before the options: vernier " + command +
                   " \"SELECT COUNT(*) AS people FROM people\" --catalog catalog.toml --epsilon 0.1");
  }
  if (!arguments.has("--epsilon") && !arguments.has("--accuracy")) {
    return invalid("say what it may cost or how accurate it is to be: --epsilon E, or --accuracy A");
  }
  if (arguments.has("--delta") && !arguments.has("--epsilon")) {
    return invalid("--delta belongs to --epsilon; give both, or --accuracy alone");
  }
  return {};
}

// "50", or "people=50".
Result<Rational> accuracy_of_cells(std::span<const std::string> words) {
  if (words.size() != 1) return invalid("--accuracy of tables that add up is one number for all of their cells");
  return accuracy_in(words.front().substr(words.front().rfind('=') + 1));
}

// Of GROUP BY CUBE, ROLLUP or GROUPING SETS: one accuracy for the cells of all tables.
Result<study::Study> asked_tables(const Arguments& arguments, query::TableSet set, const study::Catalog& catalog) {
  if (arguments.has("--accuracy")) {
    VERNIER_TRY(const Rational accuracy, accuracy_of_cells(arguments.all("--accuracy")));
    set.accuracy = {{.accuracy = accuracy}};
  }
  VERNIER_TRY(set.max_rows, most_of(arguments, "--max-rows", query::greatest_max_rows));
  VERNIER_TRY(const Rational alpha, exact_or<Alpha>(arguments, "--alpha", "0.05"));
  VERNIER_TRY(const auto budget, budget_of(arguments));
  set.name = "query";
  return study::Study::of("query", query::Study{{}, catalog.content().path, alpha, budget, {}, {std::move(set)}},
                          catalog);
}

}  // namespace

Result<study::Study> asked_statement(const Arguments& arguments, const std::string& command) {
  VERNIER_TRY(check_words(arguments, command));
  VERNIER_TRY(const study::Catalog catalog, study::Catalog::read(arguments.one("--catalog"), catalog_rule(arguments)));
  VERNIER_TRY(auto tables, catalog.tables_of(arguments.subject));
  if (tables) return asked_tables(arguments, *std::move(tables), catalog);
  VERNIER_TRY(query::Query query, catalog.parse(arguments.subject));
  tell_without_effect(arguments.subject);
  VERNIER_TRY(const study::Question question, question_of(arguments, std::move(query), arguments.subject));
  return study::Study::of("query", question, catalog);
}

study::CatalogRule catalog_rule(const Arguments& arguments) {
  study::CatalogRule rule;
  if (arguments.has("--catalogs")) rule.folders.emplace_back(arguments.one("--catalogs"));
  if (arguments.has("--catalog")) rule.only = arguments.one("--catalog");
  return rule;
}

std::vector<Option> with_catalogs(std::vector<Option> options) {
  options.push_back({"--catalogs", Takes::one_value, "DIR",
                     "only a catalog inside this folder counts, links followed (or set VERNIER_CATALOGS)"});
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
      {"--analyst", Takes::one_value, "NAME", "who asks, and so whose share of the budget pays, if there are shares"});
  options.push_back({"--request", Takes::one_value, "ID",
                     "an id of your own: asked again with it, the same answer is given and nothing is charged"});
  return options;
}

void tell_assumed_limits(const study::Study& study, const std::string& advice) {
  if (::isatty(::fileno(stderr)) != 1) return;
  std::vector<std::string> told;
  for (const plan::BoundStatistic& statistic : study.with_assumed_limits()) {
    const std::string sentence = one_line(report::limits_sentence(statistic));
    if (std::find(told.begin(), told.end(), sentence) != told.end()) continue;
    told.push_back(sentence);
    fmt::print(stderr, "vernier: {}, since nothing says how many may; {}, or max_rows and max_groups of the table\n",
               sentence, advice);
  }
}

Result<study::Answer> release_watched(const study::Plan& plan, study::Request request) {
  TerminalProgress terminal("running");
  request.progress = terminal.watching();
  return plan.release(request);
}

}  // namespace vernier::cli
