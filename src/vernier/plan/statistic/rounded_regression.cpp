#include "vernier/plan/statistic/rounded_regression.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/interval/components/components.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/statistic/rounded_relation.hpp"

namespace vernier::plan {
namespace {

using interval::Interval;

constexpr double raised = 1 + 0x1p-36;  // more than all roundings of doubles here

double half_range(const PairedGrid& grid) { return static_cast<double>(grid.steps) * grid.granularity / 2; }
// By how much rounding moves a value, in half ranges.
double moved(const PairedGrid& grid) { return grid.is_rounded ? 1 / static_cast<double>(grid.steps) : 0; }

// What is known of the matrices: norms of what rounding adds to x and to y, and the least singular value of x.
struct Moved {
  double x = 0, y = 0, least = 0, of_y;  // of_y: of the steps of y themselves, at most

  Moved(const Measurement& one, const KnownScatter& known)
      : y(moved(all_grids(one).back())), of_y(std::min(known.greatest_y, 1.0) * raised) {
    for (const PairedGrid& grid : one.regressors) x += moved(grid) * moved(grid);
    x = std::sqrt(x) * raised;
    least = known.least_x * (1 - 0x1p-36);
  }
  bool tells() const { return least > x; }
  // How far the vector of coefficients is from that of the steps.
  double coefficients() const {
    return (x * of_y / (least - x) / (least - x) + (y + x * of_y / least) / (least - x)) * raised;
  }
};

// The place of 0 from the middle, in half ranges.
double farthest_zero(const PairedGrid& grid) {
  const double middle = (static_cast<double>(grid.origin) + static_cast<double>(grid.steps) / 2) * grid.granularity;
  return 1 + std::abs(middle) / half_range(grid);
}

double coefficient_moved(const Measurement& one, const Moved& by, std::size_t place) {
  const double of_y = half_range(all_grids(one).back());
  if (place > 0) return by.coefficients() * of_y / half_range(one.regressors[place - 1]) * raised;
  double away = 0;
  for (const PairedGrid& grid : one.regressors) away += farthest_zero(grid) * farthest_zero(grid);
  return (by.y + by.coefficients() * std::sqrt(away) + by.x * by.of_y / by.least) * of_y * raised;
}

Interval widened_by(const Interval& found, double by) {
  return {numeric::subtract_down(found.low, by), numeric::add_up(found.high, by)};
}

Interval cut_to(const Interval& all, double low, double high) {
  return {std::clamp(all.low, low, high), std::clamp(all.high, low, high)};
}

// asin(t) <= t pi / 2.
double turned(double moved, double least) {
  if (moved == 0) return 0;
  return moved < least ? moved / least * std::numbers::pi / 2 * raised : std::numbers::pi;
}

// Between squares of numbers that are no further apart.
Interval squares_within(const Interval& found, double by) {
  const double low = std::max(std::sqrt(std::max(found.low, 0.0)) / raised - by, 0.0);
  const double high = std::sqrt(std::max(found.high, 0.0)) * raised + by;
  return {low * low / raised, high * high * raised};
}

Interval of_component(const Measurement& one, const Interval& found, const KnownScatter& known) {
  double squares = 0;
  for (const PairedGrid& grid : all_grids(one))
    squares += grid.is_rounded ? grid.granularity * grid.granularity / 2 : 0;
  const double by = std::sqrt(squares) * raised;
  if (by == 0) return found;
  const bool is_share =
      std::find(Regression::shares.begin(), Regression::shares.end(), one.figure) != Regression::shares.end();
  if (!is_share) return squares_within(found, by);
  if (!(known.greatest_variance > 0)) return {0, 1};
  return cut_to(squares_within(found, 2 * by / std::sqrt(known.greatest_variance) * raised), 0, 1);
}

Interval of_regression(const Measurement& one, const Interval& found, const KnownScatter& known) {
  const Moved by(one, known);
  const double rows = std::sqrt(static_cast<double>(one.regressors.size()) + 2) * raised;  // root of n / (n - p - 1)
  const double of_y = half_range(all_grids(one).back()), all = rows * of_y * raised;
  if (one.figure == Regression::explained) {
    if (!by.tells()) return {0, 1};
    return cut_to(widened_by(found, turned(by.y, known.least_y) + turned(by.x, by.least - by.x)), 0, 1);
  }
  if (one.figure == Regression::residual_deviation) {
    if (!by.tells()) return {0, std::max(all, found.high)};
    const double reach = rows * (by.y + by.x * (by.of_y + by.y) / (by.least - by.x)) * of_y * raised;
    return {std::max(numeric::subtract_down(found.low, reach), 0.0), numeric::add_up(found.high, reach)};
  }
  if (!by.tells()) return {-steepest, steepest};
  const auto& all_of = Regression::coefficients;
  const auto place = std::find(all_of.begin(), all_of.end(), one.figure);
  const bool is_intercept = place == all_of.end();
  return widened_by(
      found, coefficient_moved(one, by, is_intercept ? 0 : static_cast<std::size_t>(place - all_of.begin()) + 1));
}

// At least so much, where the number of rows divides and not that less one. Of columns that differ in all directions
// there is a row more than columns at least; where rows count in part there are two, if it is certain that there are.
double deviation_of_rows(const interval::ComponentInterval& variance, std::size_t columns, bool has_parts) {
  if (has_parts && variance.may_be_empty) return 0;
  const double d = has_parts ? 1 : static_cast<double>(columns);
  return std::sqrt(std::max(variance.interval.low, 0.0) * d / (d + 1)) * (1 - 0x1p-40);
}

}  // namespace

std::vector<PairedGrid> all_grids(const Measurement& one) {
  std::vector<PairedGrid> all = one.regressors;
  all.push_back({one.granularity, one.origin, one.steps, one.is_rounded});
  return all;
}

bool is_rounded_regression(const Measurement& one) {
  if (one.regressors.empty()) return false;
  const std::vector<PairedGrid> grids = all_grids(one);
  return std::any_of(grids.begin(), grids.end(), [](const PairedGrid& grid) { return grid.is_rounded; });
}

Result<ScatterOf> known_scatter(const interval::PairLaw& law, const interval::MomentShape& shape, Alpha part) {
  using interval::ComponentInference, interval::ComponentPart;
  const std::size_t columns = shape.columns.size() - 1;
  interval::MomentShape in_half_ranges = shape;
  for (interval::MomentColumn& one : in_half_ranges.columns) one = {-1, 1};
  const auto least = [&](std::size_t first, std::size_t width) {
    return ComponentInference::of(law, in_half_ranges, part, {ComponentPart::variance, width - 1, first, width});
  };
  VERNIER_TRY(const auto x, least(0, columns));
  VERNIER_TRY(const auto y, least(columns, 1));
  VERNIER_TRY(const auto first, ComponentInference::of(law, shape, part, {ComponentPart::variance, 0}));
  const bool has_parts = shape.parts > 0;
  return ScatterOf([=](std::span<const std::int64_t> noisy) -> Result<KnownScatter> {
    VERNIER_TRY(const auto of_x, x.from(noisy));
    VERNIER_TRY(const auto of_y, y.from(noisy));
    VERNIER_TRY(const auto greatest, first.from(noisy));
    return KnownScatter{deviation_of_rows(of_x, columns, has_parts), deviation_of_rows(of_y, 1, has_parts),
                        of_y.informative && !of_y.may_be_empty ? std::sqrt(of_y.interval.high) : 1,
                        greatest.may_be_empty ? 0 : greatest.interval.low};
  });
}

Estimate widened_regression(const Measurement& one, Estimate found, const KnownScatter& known) {
  const bool is_component = one.figure.name.starts_with("component-");
  found.interval = is_component ? of_component(one, found.interval, known) : of_regression(one, found.interval, known);
  found.accuracy = std::max({found.accuracy, numeric::subtract_up(found.value, found.interval.low),
                             numeric::subtract_up(found.interval.high, found.value)});
  found.informative = found.informative && found.interval.high < steepest;
  return found;
}

}  // namespace vernier::plan
