#include "cli/coverage_question.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/coverage_request.hpp"
#include "cli/errors.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using coverage::LawKind;
using coverage::Method;
using coverage::Question;
using coverage::Statistic;
using interval::Assurance;
using interval::Covers;

template <class Value, std::size_t count>
using Words = std::array<std::pair<std::string_view, Value>, count>;

constexpr Words<Statistic, 8> statistics = {{{"mean", Statistic::mean},
                                             {"count", Statistic::count},
                                             {"sum", Statistic::sum},
                                             {"proportion", Statistic::proportion},
                                             {"variance", Statistic::variance},
                                             {"stddev", Statistic::standard_deviation},
                                             {"median", Statistic::quantile},
                                             {"quantile", Statistic::quantile}}};
constexpr Words<Covers, 2> all_covers = {{{"sample", Covers::bounded_value}, {"population", Covers::population}}};
constexpr Words<Method, 3> methods = {
    {{"ours", Method::ours}, {"lecture", Method::lecture_classical}, {"lecture-analytic", Method::lecture_analytic}}};
constexpr Words<LawKind, 2> laws = {
    {{"geometric", LawKind::geometric}, {"discrete-gaussian", LawKind::discrete_gaussian}}};

template <class Value, std::size_t count>
std::vector<std::string> names_of(const Words<Value, count>& words) {
  std::vector<std::string> names;
  for (const auto& [name, value] : words) names.emplace_back(name);
  return names;
}

// The value of the option's word into `place`, which stays as it is where the option is not given.
template <class Value, std::size_t count, class Place>
Result<void> read_word(const Arguments& arguments, std::string_view option, const Words<Value, count>& words,
                       Place& place) {
  if (!arguments.has(option)) return {};
  const std::string& word = arguments.one(option);
  for (const auto& [name, value] : words) {
    if (name != word) continue;
    place = value;
    return {};
  }
  return invalid(fmt::format("{} must be one of {}, but it is '{}'{}", option, fmt::join(names_of(words), ", "),
                             one_line(word), suggestion(word, names_of(words))));
}

Result<query::Fraction> read_fraction(std::string_view text) {
  constexpr std::int64_t whole = 1'000'000;
  VERNIER_TRY(const double value, read_number("--fraction", text));
  const double parts = std::round(value * static_cast<double>(whole));
  if (!(value > 0 && value < 1) || std::abs(value * static_cast<double>(whole) - parts) > 1e-6) {
    return invalid(
        fmt::format("--fraction must be between 0 and 1 with at most 6 digits, such as 0.9, but it is {}", text));
  }
  const auto count = static_cast<std::int64_t>(parts);
  const std::int64_t common = std::gcd(count, whole);
  return query::Fraction{count / common, whole / common};
}

Result<void> read_quantile(const Arguments& arguments, Question& question) {
  const bool is_quantile = arguments.has("--statistic") && arguments.one("--statistic") == "quantile";
  if (is_quantile != arguments.has("--fraction")) {
    return invalid(is_quantile ? "a quantile needs its fraction; give it, for example as --fraction 0.9"
                               : "--fraction belongs to --statistic quantile");
  }
  if (!is_quantile) return {};
  return read_fraction(arguments.one("--fraction")).map([&](query::Fraction fraction) {
    question.fraction = fraction;
  });
}

Result<void> read_delta(const Arguments& arguments, Question& question) {
  if (!arguments.has("--delta")) return {};
  return read_number("--delta", arguments.one("--delta")).and_then(privacy::Delta::of).map([&](privacy::Delta delta) {
    question.delta = delta;
  });
}

// Options that would say nothing.
Result<void> check_together(const Arguments& arguments, const Question& question) {
  const bool is_ours = question.method == Method::ours;
  if (question.assurance == Assurance::guaranteed && (question.covers != Covers::population || !is_ours)) {
    return invalid("--guaranteed is for our intervals of the population; give --covers population or leave it out");
  }
  if (!is_ours && arguments.has("--mechanism")) {
    return invalid("the lecture's interval has Gaussian noise; leave --mechanism out");
  }
  if (!is_ours && question.public_count) {
    return invalid("the lecture's interval has a public number of rows already; leave --public-count out");
  }
  if (question.statistic == Statistic::quantile && arguments.has("--mechanism")) {
    return invalid("the ends of a quantile are chosen, they have no noise added; leave --mechanism out");
  }
  return {};
}

}  // namespace

std::vector<std::string> statistic_names() { return names_of(statistics); }
std::vector<std::string> interval_names() { return names_of(methods); }

Result<Question> coverage_question(const Arguments& arguments) {
  Question question;
  if (arguments.has("--guaranteed")) question.assurance = Assurance::guaranteed;
  question.public_count = arguments.has("--public-count");
  return read_word(arguments, "--statistic", statistics, question.statistic)
      .and_then([&] { return read_word(arguments, "--covers", all_covers, question.covers); })
      .and_then([&] { return read_word(arguments, "--interval", methods, question.method); })
      .and_then([&] { return read_word(arguments, "--mechanism", laws, question.law); })
      .and_then([&] { return read_quantile(arguments, question); })
      .and_then([&] { return read_delta(arguments, question); })
      .and_then([&] { return check_together(arguments, question); })
      .map([&] { return question; });
}

}  // namespace vernier::cli
