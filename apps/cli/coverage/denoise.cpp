#include "cli/coverage/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/decimal.hpp"
#include "cli/progress.hpp"
#include "cli/sweep.hpp"
#include "vernier/core/text.hpp"
#include "vernier/coverage/coverage.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

constexpr double grid = 1024;  // steps to the length of a row
constexpr std::int64_t usual_simulations = 200, most_simulations = 1'000'000;
constexpr double most_dimension = 1e6;
constexpr std::size_t most_denoise_points = 1000;

Result<std::vector<double>> numbers_or(const Given& given, std::string_view name, std::vector<double> otherwise) {
  return given.has(name) ? read_spread(parameter(name), given.one(name)) : otherwise;
}

Result<std::vector<double>> dimensions_in(const Given& given) {
  if (!given.has("dimension")) return std::vector<double>{10, 30, 100, 300, 1000, 3000};
  return read_whole_spread(parameter("dimension"), given.one("dimension"))
      .and_then([](std::vector<double> dimensions) -> Result<std::vector<double>> {
        const auto [least, greatest] = std::minmax_element(dimensions.begin(), dimensions.end());
        if (*least >= denoise::least_numbers && *greatest <= most_dimension) return dimensions;
        return invalid(
            parameter("dimension"),
            fmt::format("must be from {} to {}, but it is {}", denoise::least_numbers, shortest(most_dimension),
                        shortest(*least < denoise::least_numbers ? *least : *greatest)),
            "");
      });
}

Result<std::int64_t> whole_or(const Given& given, std::string_view name, std::int64_t otherwise, std::int64_t least,
                              std::int64_t greatest) {
  if (!given.has(name)) return otherwise;
  const Result<std::int64_t> number = read_whole(parameter(name), given.one(name));
  if (!number || (*number >= least && *number <= greatest)) return number;
  return invalid(parameter(name), fmt::format("must be from {} to {}, but it is {}", least, greatest, *number), "");
}

// Parameters that say nothing here are refused, since they might be thought to.
Result<void> refuse_others(const Given& given) {
  static constexpr std::string_view taken[] = {"denoise", "epsilon",     "dimension", "delta",
                                               "size",    "simulations", "plot",      "json"};
  for (const auto& [name, values] : given.values) {
    if (std::find(std::begin(taken), std::end(taken), name) == std::end(taken)) {
      return invalid(parameter(name),
                     fmt::format("cannot be given with {}, whose vectors are invented", parameter("denoise")),
                     "leave it out");
    }
  }
  return {};
}

// Noise for sums of rows of length 1 at most, of which one is added or removed.
Result<double> sigma_at(double epsilon, double delta) {
  VERNIER_TRY(const auto budget, privacy::Epsilon::of(epsilon));
  VERNIER_TRY(const auto slack, privacy::Delta::of(delta));
  return mechanism::GaussianMechanism::calibrate(budget, slack, *privacy::L2Sensitivity::of(1))
      .map([](const auto& mechanism) { return mechanism.law().scale(); });
}

Result<std::vector<DenoisePoint>> points_of(const DenoiseRequest& request) {
  std::vector<DenoisePoint> points;
  for (const denoise::Shape shape : {denoise::Shape::dense, denoise::Shape::sparse}) {
    for (const double epsilon : request.epsilon) {
      VERNIER_TRY(const double sigma, sigma_at(epsilon, request.delta));
      for (const double dimension : request.dimension) points.push_back({shape, epsilon, dimension, sigma, {}});
    }
  }
  return points;
}

Result<void> simulate_point(const DenoiseRequest& request, DenoisePoint& point, random::Source& source) {
  VERNIER_TRY(const auto scale, Sigma::of(point.sigma * grid));
  VERNIER_TRY(const auto law, noise::DiscreteGaussian::of(scale));
  const denoise::Setting setting{point.shape, static_cast<std::size_t>(point.dimension),
                                 static_cast<double>(request.size) * grid};
  return denoise::experiment(setting, law, request.simulations, source).map([&](auto outcomes) {
    point.outcomes = std::move(outcomes);
  });
}

Result<void> draw(const DenoiseRequest& request, const std::vector<DenoisePoint>& points) {
  if (!request.plot) return {};
  const auto written =
      study::write_file(*request.plot, plot::render(denoise_chart(request, points, denoise::Shape::dense)));
  if (!written) return written;
  return study::write_file(sparse_file(*request.plot),
                           plot::render(denoise_chart(request, points, denoise::Shape::sparse)));
}

}  // namespace

std::vector<Option> denoise_options() {
  return {{"--denoise", Takes::nothing, "",
           "instead: the error of denoised vectors, dense and sparse, against dimension and epsilon"},
          {"--dimension", Takes::one_value, "D",
           "with --denoise: of the vectors, a number or FIRST:LAST:POINTS (default 10 to 3000)"}};
}

Result<DenoiseRequest> denoise_request(const Given& given) {
  VERNIER_TRY(refuse_others(given));
  const auto epsilon = numbers_or(given, "epsilon", {0.1, 0.3, 1});
  const auto dimension = dimensions_in(given);
  const auto delta = numbers_or(given, "delta", {1e-6});
  const auto size = whole_or(given, "size", 500, 1, 1'000'000'000);
  const auto simulations = whole_or(given, "simulations", usual_simulations, 2, most_simulations);
  for (const auto* each : {&epsilon, &dimension, &delta}) {
    if (!*each) return Failure(each->error());
  }
  for (const auto* each : {&size, &simulations}) {
    if (!*each) return Failure(each->error());
  }
  if (delta->size() != 1) return invalid(parameter("delta"), "must be one number with " + parameter("denoise"), "");
  if (epsilon->size() * dimension->size() > most_denoise_points) {
    return invalid(fmt::format("there are {} points, but at most {} can be asked together; ask fewer",
                               epsilon->size() * dimension->size(), most_denoise_points));
  }
  return DenoiseRequest{*epsilon, *dimension,       delta->front(), *size, static_cast<int>(*simulations),
                        {},       given.has("json")};
}

double DenoisePoint::distance(const denoise::Outcome& outcome, std::int64_t size) const {
  return std::sqrt(outcome.error.mean() * dimension) * sigma / static_cast<double>(size);
}

bool DenoisePoint::is_refuted() const {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return outcome.is_refuted; });
}

Result<std::vector<DenoisePoint>> simulated(const DenoiseRequest& request, const Progress& progress) {
  Result<std::vector<DenoisePoint>> points = points_of(request);
  if (!points) return points;
  const auto simulate = [&](std::size_t i, random::Source& source) {
    return simulate_point(request, (*points)[i], source);
  };
  return coverage::do_each(points->size(), simulate, progress).map([&] { return *std::move(points); });
}

// Nothing is printed before everything has succeeded; a refutation is told after the figures.
Result<void> run_coverage_denoise(const Arguments& arguments, Output& output) {
  VERNIER_TRY(DenoiseRequest request, denoise_request(given_by(arguments)));
  VERNIER_TRY(request.plot, plot_file(arguments));
  if (request.plot) {
    if (Result<void> is_new = study::check_new(sparse_file(*request.plot)); !is_new) return is_new;
  }
  VERNIER_TRY(const auto points, simulated(request, TerminalProgress("simulating").watching()));
  if (Result<void> drawn = draw(request, points); !drawn) return drawn;
  write_denoise_report(output, request, points);
  if (std::none_of(points.begin(), points.end(), [](const auto& point) { return point.is_refuted(); })) return {};
  if (Result<void> printed = output.finish(); !printed) return printed;
  return fail(ErrorKind::system, denoise_refutation(points));
}

}  // namespace vernier::cli
