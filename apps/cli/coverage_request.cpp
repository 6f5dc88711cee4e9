#include "cli/coverage_request.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "cli/coverage_question.hpp"
#include "cli/csv_column.hpp"
#include "cli/errors.hpp"
#include "cli/file.hpp"
#include "cli/numbers.hpp"
#include "cli/plot_file.hpp"
#include "cli/spread_values.hpp"
#include "vernier/core/text.hpp"
#include "vernier/coverage/named_population.hpp"

namespace vernier::cli {
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
  VERNIER_TRY(const std::string text, read_file(path, most_data_bytes));
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
