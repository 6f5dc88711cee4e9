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
#include "vernier/coverage/population.hpp"
#include "vernier/study/files.hpp"

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

namespace {

using coverage::Point;
using coverage::Population;
using coverage::ValueGrid;

constexpr std::size_t most_data_bytes = std::size_t{1} << 30;
constexpr std::int64_t usual_simulations = 1000;

// Where values come from, and the bounds that suit them where they are known.
struct Values {
  Population population;
  std::string origin;
  std::optional<double> lower, upper;
  double granularity;
};

Result<Values> from_file(const Arguments& arguments) {
  if (!arguments.has("--column")) {
    return invalid("the column is missing; name it, for example as --column educ");
  }
  const std::string &path = arguments.one("--data"), &column = arguments.one("--column");
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

Result<Values> named(const Arguments& arguments) {
  const std::string& words = arguments.one("--distribution");
  return coverage::population_named(words).map([&](coverage::NamedPopulation made) {
    return Values{std::move(made.population), fmt::format("the distribution {}", words), made.lower, made.upper,
                  made.granularity};
  });
}

Result<Values> of_program(const Arguments& arguments, const CoverageValues& given) {
  for (const char* option : {"--data", "--column", "--distribution"}) {
    if (arguments.has(option))
      return invalid(fmt::format("{} and values of your own cannot be given together", option));
  }
  return Population::of(given.values).map([&](Population population) {
    return Values{std::move(population), one_line(given.origin), {}, {}, 1};
  });
}

Result<Values> values_in(const Arguments& arguments, const std::optional<CoverageValues>& given) {
  if (given) return of_program(arguments, *given);
  const bool has_file = arguments.has("--data");
  if (has_file == arguments.has("--distribution")) {
    return invalid(has_file ? "--data and --distribution cannot be given together; leave one out"
                            : "the values are missing; give --data FILE with --column NAME, or --distribution NAME");
  }
  if (!has_file && arguments.has("--column")) return invalid("--column belongs to --data; leave it out");
  return has_file ? from_file(arguments) : named(arguments);
}

// What is asked at every point, each one number or several.
struct Axes {
  std::vector<double> epsilon, size, alpha, lower, upper;
  double granularity;

  std::size_t points() const { return epsilon.size() * size.size() * alpha.size() * lower.size() * upper.size(); }
};

Result<std::vector<double>> numbers_or(const Arguments& arguments, const std::string& option,
                                       std::optional<double> otherwise, std::string_view example) {
  if (arguments.has(option)) return read_spread(option, arguments.one(option));
  if (otherwise) return std::vector{*otherwise};
  return invalid(fmt::format("{} is missing; give it, for example as {} {}", option, option, example));
}

void put_on_grid(std::vector<double>& bounds, double granularity) {
  if (bounds.size() == 1) return;
  for (double& bound : bounds) bound = std::round(bound / granularity) * granularity;
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
}

Result<void> read_granularity(const Arguments& arguments, Axes& axes) {
  if (!arguments.has("--granularity")) return {};
  return read_number("--granularity", arguments.one("--granularity")).map([&](double granularity) {
    axes.granularity = granularity;
  });
}

Result<Axes> axes_in(const Arguments& arguments, const Values& values) {
  Axes axes{{}, {}, {}, {}, {}, values.granularity};
  VERNIER_TRY(read_granularity(arguments, axes));
  const auto into = [](std::vector<double>& place) {
    return [&place](std::vector<double> numbers) { place = std::move(numbers); };
  };
  const auto size = [&]() -> Result<std::vector<double>> {
    if (arguments.has("--size")) return read_whole_spread("--size", arguments.one("--size"));
    return invalid("--size is missing: how many rows a sample has; give it, for example as --size 500");
  };
  return numbers_or(arguments, "--epsilon", {}, "0.1:1:10")
      .map(into(axes.epsilon))
      .and_then([&] { return size().map(into(axes.size)); })
      .and_then([&] { return numbers_or(arguments, "--alpha", 0.05, "").map(into(axes.alpha)); })
      .and_then([&] { return numbers_or(arguments, "--lower", values.lower, "1").map(into(axes.lower)); })
      .and_then([&] { return numbers_or(arguments, "--upper", values.upper, "16").map(into(axes.upper)); })
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
    return invalid(fmt::format("--size must be from 1 to 1000000000, but it is {}", shortest(size)));
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

Result<std::int64_t> simulations_in(const Arguments& arguments) {
  if (!arguments.has("--simulations")) return usual_simulations;
  const Result<std::int64_t> count = read_whole("--simulations", arguments.one("--simulations"));
  if (!count || (*count >= 1 && *count <= coverage::most_simulations)) return count;
  return invalid(fmt::format("--simulations must be from 1 to {}, but it is {}", coverage::most_simulations, *count));
}

Result<std::optional<std::string>> plot_of(const Arguments& arguments, const std::vector<std::string>& swept) {
  if (!arguments.has("--plot") || swept.size() <= 1) return plot_file(arguments);
  return invalid(
      fmt::format("--plot draws coverage against one number, but {} and {} both go over a range; give one "
                  "of them a single value",
                  swept[0], swept[1]));
}

}  // namespace

double value_of(const Point& point, const std::string& key) {
  if (key == "size") return static_cast<double>(point.size);
  if (key == "alpha") return point.alpha.value();
  if (key == "lower") return point.grid.lower();
  if (key == "upper") return point.grid.upper();
  return point.epsilon.value();
}

Result<CoverageRequest> coverage_request(const Arguments& arguments, const std::optional<CoverageValues>& given) {
  if (arguments.has("--dimension")) return invalid("--dimension belongs to --denoise; leave it out");
  VERNIER_TRY(const auto question, coverage_question(arguments));
  VERNIER_TRY(const auto simulations, simulations_in(arguments));
  VERNIER_TRY(const auto values, values_in(arguments, given));
  VERNIER_TRY(const auto axes, axes_in(arguments, values));
  VERNIER_TRY(const auto points, points_of(axes));
  VERNIER_TRY(const auto plot, plot_of(arguments, swept_of(axes)));
  const std::string statistic = arguments.has("--statistic") ? arguments.one("--statistic") : "mean";
  return CoverageRequest{values.population, values.origin, statistic,
                         question,          points,        swept_of(axes),
                         simulations,       plot,          arguments.has("--json")};
}

}  // namespace vernier::cli
