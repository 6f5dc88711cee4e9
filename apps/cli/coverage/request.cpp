#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/coverage/coverage.hpp"
#include "cli/coverage/csv_column.hpp"
#include "cli/decimal.hpp"
#include "cli/output.hpp"
#include "cli/sweep.hpp"
#include "vernier/core/text.hpp"
#include "vernier/coverage/pairs.hpp"
#include "vernier/coverage/population.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

using coverage::LawKind;
using coverage::Method;
using coverage::Question;
using interval::Assurance;
using interval::Covers;

template <class Value, std::size_t count>
using Words = std::array<std::pair<std::string_view, Value>, count>;

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

Result<void> check_word(std::string_view name, const std::string& word, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), word) != names.end()) return {};
  return invalid(fmt::format("{} must be one of {}, but it is '{}'{}", parameter(name), fmt::join(names, ", "),
                             one_line(word), suggestion(word, names)));
}

// The value of the parameter's word into `place`, which stays as it is where none is given.
template <class Value, std::size_t count, class Place>
Result<void> read_word(const Given& given, std::string_view name, const Words<Value, count>& words, Place& place) {
  if (!given.has(name)) return {};
  const std::string& word = given.one(name);
  VERNIER_TRY(check_word(name, word, names_of(words)));
  place = std::find_if(words.begin(), words.end(), [&](const auto& one) { return one.first == word; })->second;
  return {};
}

Result<query::Fraction> read_fraction(std::string_view text) {
  constexpr std::int64_t whole = 1'000'000;
  VERNIER_TRY(const double value, read_number(parameter("fraction"), text));
  const double parts = std::round(value * static_cast<double>(whole));
  if (!(value > 0 && value < 1) || std::abs(value * static_cast<double>(whole) - parts) > 1e-6) {
    return invalid(parameter("fraction"),
                   fmt::format("must be between 0 and 1 with at most 6 digits, such as 0.9, but it is {}", text), "");
  }
  const auto count = static_cast<std::int64_t>(parts);
  const std::int64_t common = std::gcd(count, whole);
  return query::Fraction{count / common, whole / common};
}

Result<void> read_quantile(const Given& given, Question& question) {
  const bool is_quantile = given.has("statistic") && given.one("statistic") == "quantile";
  if (is_quantile != given.has("fraction")) {
    if (!is_quantile) return invalid(parameter("fraction"), "belongs to " + parameter("statistic", "quantile"), "");
    return invalid("a quantile needs its fraction", "give it, for example as " + parameter("fraction", "0.9"));
  }
  if (!is_quantile) return {};
  return read_fraction(given.one("fraction")).map([&](query::Fraction fraction) { question.fraction = fraction; });
}

// Relations of two columns by their usual names.
struct NamedRelation {
  std::string_view name;
  query::Aggregate aggregate;
};
constexpr NamedRelation named_relations[] = {{"slope", query::Aggregate::regression_slope},
                                             {"intercept", query::Aggregate::regression_intercept},
                                             {"correlation", query::Aggregate::correlation},
                                             {"covariance", query::Aggregate::covariance_sample}};

std::optional<query::Aggregate> relation_named(std::string_view word) {
  for (const NamedRelation& one : named_relations) {
    if (one.name == word) return one.aggregate;
  }
  return std::nullopt;
}

Result<void> read_statistic(const Given& given, Question& question) {
  if (!given.has("statistic")) return {};
  const std::string& word = given.one("statistic");
  const std::vector<std::string> names = statistic_names();
  VERNIER_TRY(check_word("statistic", word, names));
  question.is_proportion = word == "proportion";
  if (const auto relation = relation_named(word)) {
    question.aggregate = *relation;
    return {};
  }
  const query::Aggregate usual = word == "count" ? query::Aggregate::count_rows : query::Aggregate::average;
  question.aggregate = word == "count" ? usual : query::aggregate_spelled(word).value_or(usual);
  return {};
}

Result<void> read_delta(const Given& given, Question& question) {
  if (!given.has("delta")) return {};
  return read_number(parameter("delta"), given.one("delta"))
      .and_then(privacy::Delta::of)
      .map([&](privacy::Delta delta) { question.delta = delta; });
}

std::string leave_out(std::string_view name) { return "leave " + parameter(name) + " out"; }

// Parameters that would say nothing.
Result<void> check_together(const Given& given, const Question& question) {
  const bool is_ours = question.method == Method::ours;
  if (question.assurance == Assurance::guaranteed && (question.covers != Covers::population || !is_ours)) {
    return invalid(parameter("guaranteed"), "is for our intervals of the population",
                   "give " + parameter("covers", "population") + " or leave it out");
  }
  if (!is_ours && given.has("mechanism")) {
    return invalid("the lecture's interval has Gaussian noise", leave_out("mechanism"));
  }
  if (!is_ours && question.public_count) {
    return invalid("the lecture's interval has a public number of rows already", leave_out("public_count"));
  }
  if (plan::is_in_ranks(plan::figure_of(question.aggregate)) && given.has("mechanism")) {
    return invalid("the ends of a quantile are chosen, they have no noise added", leave_out("mechanism"));
  }
  return {};
}

}  // namespace

// As SQL spells them, a count of rows, and the mean of two values.
std::vector<std::string> statistic_names() {
  std::vector<std::string> names = {"mean", "count", "proportion"};
  for (const query::AggregateFacts& one : query::aggregates) {
    for (const std::string_view name : one.spellings) {
      if (one.needs_bounds && !name.empty() && name != names.front()) names.emplace_back(name);
    }
  }
  for (const NamedRelation& one : named_relations) names.emplace_back(one.name);
  return names;
}
std::vector<std::string> interval_names() { return names_of(methods); }

Result<Question> coverage_question(const Given& given) {
  Question question;
  if (given.has("guaranteed")) question.assurance = Assurance::guaranteed;
  question.public_count = given.has("public_count");
  return read_statistic(given, question)
      .and_then([&] { return read_word(given, "covers", all_covers, question.covers); })
      .and_then([&] { return read_word(given, "interval", methods, question.method); })
      .and_then([&] { return read_word(given, "mechanism", laws, question.law); })
      .and_then([&] { return read_quantile(given, question); })
      .and_then([&] { return read_delta(given, question); })
      .and_then([&] { return check_together(given, question); })
      .map([&] { return question; });
}

namespace {

using coverage::Point;
using coverage::Population;
using coverage::ValueGrid;

constexpr std::size_t most_data_bytes = std::size_t{1} << 30;
constexpr std::int64_t usual_simulations = 1000;

Failure misplaced(std::string_view name, std::string_view whole) {
  return invalid(parameter(name), "belongs to " + parameter(whole), "leave it out");
}

// Where values come from, and the bounds that suit them where they are known.
struct Values {
  Population population;
  std::string origin;
  std::optional<double> lower, upper;
  double granularity;
};

Result<Values> from_file(const Given& given) {
  if (!given.has("column")) {
    return invalid("the column is missing", "name it, for example as " + parameter("column", "educ"));
  }
  const std::string &path = given.one("data"), &column = given.one("column");
  VERNIER_TRY(const std::string text, study::read_file(path, most_data_bytes));
  VERNIER_TRY(std::vector<double> values, csv_column(text, column, path));
  return Population::of(std::move(values)).map([&](Population population) {
    return Values{std::move(population),
                  fmt::format("{} of {}", one_line(column), one_line(std::filesystem::path(path).filename().string())),
                  {},
                  {},
                  1};
  });
}

Result<Values> named(const Given& given) {
  const std::string& words = given.one("distribution");
  return coverage::population_named(words).map([&](coverage::NamedPopulation made) {
    return Values{std::move(made.population), fmt::format("the distribution {}", words), made.lower, made.upper,
                  made.granularity};
  });
}

Result<Values> of_program(const Given& given, const CoverageValues& own) {
  for (const char* name : {"data", "column", "distribution"}) {
    if (given.has(name)) return invalid(parameter(name), "and values of your own cannot be given together", "");
  }
  return Population::of(own.values).map([&](Population population) {
    return Values{std::move(population), one_line(own.origin), {}, {}, 1};
  });
}

Result<Values> values_in(const Given& given, const std::optional<CoverageValues>& own) {
  if (own) return of_program(given, *own);
  const bool has_file = given.has("data");
  if (has_file == given.has("distribution")) {
    if (has_file) {
      return invalid(parameter("data") + " and " + parameter("distribution"), "cannot be given together",
                     "leave one out");
    }
    return invalid("the values are missing", "give " + parameter("data", "FILE") + " with " +
                                                 parameter("column", "NAME") + ", or " +
                                                 parameter("distribution", "NAME"));
  }
  if (!has_file && given.has("column")) return misplaced("column", "data");
  return has_file ? from_file(given) : named(given);
}

// What is asked at every point, each one number or several.
struct Axes {
  std::vector<double> epsilon, size, alpha, lower, upper;
  double granularity;

  std::size_t points() const { return epsilon.size() * size.size() * alpha.size() * lower.size() * upper.size(); }
};

Result<std::vector<double>> numbers_or(const Given& given, std::string_view name, std::optional<double> otherwise,
                                       std::string_view example) {
  if (given.has(name)) return read_spread(parameter(name), given.one(name));
  if (otherwise) return std::vector{*otherwise};
  return invalid(parameter(name), "is missing", "give it, for example as " + parameter(name, example));
}

void put_on_grid(std::vector<double>& bounds, double granularity) {
  if (bounds.size() == 1) return;
  for (double& bound : bounds) bound = std::round(bound / granularity) * granularity;
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
}

Result<void> read_granularity(const Given& given, Axes& axes) {
  if (!given.has("granularity")) return {};
  return read_number(parameter("granularity"), given.one("granularity")).map([&](double granularity) {
    axes.granularity = granularity;
  });
}

Result<Axes> axes_in(const Given& given, const Values& values) {
  Axes axes{{}, {}, {}, {}, {}, values.granularity};
  VERNIER_TRY(read_granularity(given, axes));
  const auto into = [](std::vector<double>& place) {
    return [&place](std::vector<double> numbers) { place = std::move(numbers); };
  };
  const auto size = [&]() -> Result<std::vector<double>> {
    if (given.has("size")) return read_whole_spread(parameter("size"), given.one("size"));
    return invalid(parameter("size"), "is missing: how many rows a sample has",
                   "give it, for example as " + parameter("size", "500"));
  };
  return numbers_or(given, "epsilon", {}, "0.1:1:10")
      .map(into(axes.epsilon))
      .and_then([&] { return size().map(into(axes.size)); })
      .and_then([&] { return numbers_or(given, "alpha", 0.05, "").map(into(axes.alpha)); })
      .and_then([&] { return numbers_or(given, "lower", values.lower, "1").map(into(axes.lower)); })
      .and_then([&] { return numbers_or(given, "upper", values.upper, "16").map(into(axes.upper)); })
      .map([&] {
        put_on_grid(axes.lower, axes.granularity);
        put_on_grid(axes.upper, axes.granularity);
        return axes;
      });
}

Result<ValueGrid> grid_of(double lower, double upper, double granularity) {
  const auto low = Real::of(lower), high = Real::of(upper), step = Real::of(granularity);
  for (const auto* each : {&low, &high, &step}) {
    if (!*each) return Failure(each->error());
  }
  return ValueGrid::of(*low, *high, *step);
}

Result<Point> point_of(double epsilon, double size, double alpha, const ValueGrid& grid) {
  if (!(size >= 1 && size <= 1e9)) {
    return invalid(parameter("size"), fmt::format("must be from 1 to 1000000000, but it is {}", shortest(size)), "");
  }
  VERNIER_TRY(const auto budget, privacy::Epsilon::of(epsilon));
  return Alpha::of(alpha).map([&](Alpha chance) {
    return Point{budget, static_cast<std::int64_t>(size), chance, grid};
  });
}

// Every combination, epsilon the fastest.
Result<std::vector<Point>> points_of(const Axes& axes) {
  if (axes.points() > most_coverage_points) {
    return invalid(fmt::format("there are {} points, but at most {} can be asked together; ask fewer", axes.points(),
                               most_coverage_points));
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < axes.points(); ++i) {
    std::size_t rest = i;
    const auto take = [&rest](const std::vector<double>& values) {
      const double value = values[rest % values.size()];
      rest /= values.size();
      return value;
    };
    const double epsilon = take(axes.epsilon), size = take(axes.size), alpha = take(axes.alpha);
    const double lower = take(axes.lower), upper = take(axes.upper);
    VERNIER_TRY(const auto point, grid_of(lower, upper, axes.granularity).and_then([&](const ValueGrid& grid) {
      return point_of(epsilon, size, alpha, grid);
    }));
    points.push_back(point);
  }
  return points;
}

std::vector<std::string> swept_of(const Axes& axes) {
  std::vector<std::string> swept;
  if (axes.epsilon.size() > 1) swept.emplace_back("epsilon");
  if (axes.size.size() > 1) swept.emplace_back("size");
  if (axes.alpha.size() > 1) swept.emplace_back("alpha");
  if (axes.lower.size() > 1) swept.emplace_back("lower");
  if (axes.upper.size() > 1) swept.emplace_back("upper");
  return swept;
}

Result<std::int64_t> simulations_in(const Given& given) {
  if (!given.has("simulations")) return usual_simulations;
  const Result<std::int64_t> count = read_whole(parameter("simulations"), given.one("simulations"));
  if (!count || (*count >= 1 && *count <= coverage::most_simulations)) return count;
  return invalid(parameter("simulations"),
                 fmt::format("must be from 1 to {}, but it is {}", coverage::most_simulations, *count), "");
}

}  // namespace

double value_of(const Point& point, const std::string& key) {
  if (key == "size") return static_cast<double>(point.size);
  if (key == "alpha") return point.alpha.value();
  if (key == "lower") return point.grid.lower();
  if (key == "upper") return point.grid.upper();
  return point.epsilon.value();
}

namespace {

Result<double> number_or(const Given& given, std::string_view name, std::optional<double> otherwise) {
  if (given.has(name)) return read_number(parameter(name), given.one(name));
  if (otherwise) return *otherwise;
  return invalid(parameter(name), "is missing", "give the bounds of both columns");
}

Result<coverage::PairGrids> file_grids(const Given& given) {
  VERNIER_TRY(const double lower, number_or(given, "lower", {}));
  VERNIER_TRY(const double upper, number_or(given, "upper", {}));
  VERNIER_TRY(const double x_lower, number_or(given, "x_lower", {}));
  VERNIER_TRY(const double x_upper, number_or(given, "x_upper", {}));
  VERNIER_TRY(const double step, number_or(given, "granularity", 1));
  VERNIER_TRY(const double x_step, number_or(given, "x_granularity", 1));
  VERNIER_TRY(const ValueGrid y, grid_of(lower, upper, step));
  VERNIER_TRY(const ValueGrid x, grid_of(x_lower, x_upper, x_step));
  return coverage::PairGrids{x, y};
}

// Pairs of a file or of a distribution, with the grids of both.
struct PairValues {
  coverage::Pairs pairs;
  coverage::PairGrids grids;
  std::string origin;
};

Result<PairValues> pairs_from_file(const Given& given) {
  if (!given.has("column") || !given.has("x")) {
    return invalid("a relation is of two columns",
                   "name y and x, for example as " + parameter("column", "income") + " and " + parameter("x", "educ"));
  }
  const std::string &path = given.one("data"), &y = given.one("column"), &x = given.one("x");
  VERNIER_TRY(const std::string text, study::read_file(path, most_data_bytes));
  VERNIER_TRY(CsvPairs read, csv_columns(text, y, x, path));
  VERNIER_TRY(const coverage::PairGrids grids, file_grids(given));
  const std::string file = one_line(std::filesystem::path(path).filename().string());
  return PairValues{{std::move(read.second), std::move(read.first)},
                    grids,
                    fmt::format("{} and {} of {}", one_line(y), one_line(x), file)};
}

Result<PairValues> pairs_in(const Given& given) {
  if (given.has("data")) return pairs_from_file(given);
  if (!given.has("distribution")) {
    return invalid("the values are missing",
                   "give " + parameter("data", "FILE") + ", or " + parameter("distribution", "NAME"));
  }
  for (const char* name : {"column", "x", "lower", "upper", "granularity", "x_lower", "x_upper", "x_granularity"}) {
    if (given.has(name)) return misplaced(name, "data");
  }
  const std::string& words = given.one("distribution");
  return coverage::pairs_named(words).map([&](coverage::NamedPairs made) {
    return PairValues{std::move(made.pairs), made.grids, fmt::format("pairs of the distribution {}", words)};
  });
}

// Of a relation: the pairs are values of one column, their codes, between the least and the greatest of them.
Result<CoverageRequest> pair_request(const Given& given, Question question, std::int64_t simulations) {
  VERNIER_TRY(const PairValues values, pairs_in(given));
  question.pair = values.grids;
  VERNIER_TRY(Population population, coverage::coded(values.pairs, values.grids));
  VERNIER_TRY(const ValueGrid codes, coverage::grid_of_codes(values.grids));
  Given axes_given = given;
  for (const char* name : {"lower", "upper", "granularity"}) axes_given.values.erase(name);
  VERNIER_TRY(const Axes axes, axes_in(axes_given, {population, values.origin, codes.lower(), codes.upper(), 1}));
  VERNIER_TRY(const std::vector<Point> points, points_of(axes));
  return CoverageRequest{
      population, values.origin,    given.one("statistic"), question, points, swept_of(axes), simulations,
      {},         given.has("json")};
}

}  // namespace

Result<CoverageRequest> coverage_request(const Given& given, const std::optional<CoverageValues>& own) {
  if (given.has("dimension")) return misplaced("dimension", "denoise");
  VERNIER_TRY(const auto question, coverage_question(given));
  VERNIER_TRY(const auto simulations, simulations_in(given));
  if (query::facts_of(question.aggregate).takes_pair) {
    if (own) return invalid("a relation is of two columns", "give the file that has both");
    return pair_request(given, question, simulations);
  }
  for (const char* name : {"x", "x_lower", "x_upper", "x_granularity"}) {
    if (given.has(name)) return invalid(parameter(name), "belongs to relations of two columns", "leave it out");
  }
  VERNIER_TRY(const auto values, values_in(given, own));
  VERNIER_TRY(const auto axes, axes_in(given, values));
  VERNIER_TRY(const auto points, points_of(axes));
  const std::string statistic = given.has("statistic") ? given.one("statistic") : "mean";
  return CoverageRequest{values.population, values.origin, statistic, question,         points,
                         swept_of(axes),    simulations,   {},        given.has("json")};
}

}  // namespace vernier::cli
