#include "vernier/plan/moments.hpp"

#include <algorithm>

namespace vernier::plan {
namespace {

constexpr Int128 greatest_total = Int128{1} << 62;
constexpr Int128 enough_shift = Int128{1} << 26;     // so that scales stay far below their limit of 1e12
constexpr Int128 greatest_square = Int128{1} << 61;  // of steps^2 * fineness, which the engine doubles
constexpr Int128 fine_weight = 1024;                 // from here on the steps of the noise do not widen an interval

}  // namespace

std::int64_t moment_fineness(std::int64_t steps, std::int64_t row_limit, std::int64_t max_rows) {
  const Int128 k = steps;
  const Int128 most = std::min(greatest_total / row_limit, enough_shift / max_rows) / k;
  if (most < k) return static_cast<std::int64_t>(std::max(std::min(most, greatest_square / (k * k)), Int128{1}));
  const Int128 times = std::min((fine_weight + k * k - 1) / (k * k), most / k);
  return static_cast<std::int64_t>(k * times);
}

Result<interval::MeanNodes> nodes_of(const Measurement& measurement) {
  if (measurement.kind == MeasurementKind::mean) {
    return interval::MeanNodes::of(interval::Basis::two, measurement.steps);
  }
  return interval::MeanNodes::moments(measurement.steps, measurement.fineness);
}

bool can_show(MeasurementKind kind, Figure figure) {
  const bool is_linear = figure == Figure::count || figure == Figure::sum || figure == Figure::mean;
  const bool is_spread = figure >= Figure::variance_sample && figure <= Figure::deviation_population;
  return has_nodes(kind) && (is_linear || (is_spread && kind == MeasurementKind::moments));
}

// All rows at once fill a node sum, so that its greatest value tells the row limit.
Result<LinearFigure> linear_figure(const Measurement& measurement, const interval::MeanNodes& nodes) {
  const std::int64_t rows = measurement.greatest / nodes.weight();
  if (measurement.figure == Figure::count) {
    return interval::PossibleRange::of(0, rows).map([&](const interval::PossibleRange& possible) {
      return LinearFigure{interval::count_of_rows(nodes), possible, 1};
    });
  }
  const std::int64_t lower = std::min<std::int64_t>(measurement.origin, 0);
  const std::int64_t upper = std::max<std::int64_t>(measurement.origin + measurement.steps, 0);
  if (Int128{rows} * std::max(-lower, upper) > greatest_total) return invalid("is a sum that could leave 64 bits");
  return interval::PossibleRange::of(rows * lower, rows * upper).map([&](const interval::PossibleRange& possible) {
    return LinearFigure{interval::sum_of_rows(nodes, measurement.origin), possible, measurement.granularity};
  });
}

}  // namespace vernier::plan
