#include "vernier/interval/spread_sums.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-48;  // pays for the roundings of a coefficient, with the absolute part
constexpr double absolute = 0x1p-50;
constexpr double likely_variance = 1.0 / 16;  // of no rows at all: a deviation of a quarter of the range

double down(double variance, double range, bool is_root) {
  if (is_root) return numeric::multiply_down(numeric::sqrt_down(variance), range);
  return numeric::multiply_down(numeric::multiply_down(variance, range), range);
}
double up(double variance, double range, bool is_root) {
  if (is_root) return numeric::multiply_up(numeric::sqrt_up(variance), range);
  return numeric::multiply_up(numeric::multiply_up(variance, range), range);
}

}  // namespace

SpreadSums spread_sums(Released released, std::int64_t weight, Divisor divisor) {
  SpreadSums sums{};
  sums.weight = static_cast<double>(weight);
  for (std::size_t i = 0; i < most_nodes; ++i) {
    sums.y[i] = static_cast<double>(released[i]);
    sums.total += sums.y[i];
    sums.size += std::abs(sums.y[i]);
  }
  sums.divisor = divisor == Divisor::rows ? sums.total : sums.total - sums.weight;
  return sums;
}

Span squares_between(const SpreadSums& sums, double first, double last) {
  const double nearest = std::clamp(sums.middle(), first, last);
  return {sums.squares(nearest), std::max(sums.squares(first), sums.squares(last))};
}

double greatest_product(double first, double last) {
  const double nearest = std::clamp(0.5, first, last);
  return nearest * (1 - nearest);
}

Coefficients greatest_sizes(const Box& box) {
  const double r = box.x_first, s = box.x_last, v = box.y_first, w = box.y_last;
  return {(std::max(s * s - v, w - r * r) + absolute) * raised, (greatest_product(r, s) + w + absolute) * raised,
          (std::max((1 - r) * (1 - r) - v, w - (1 - s) * (1 - s)) + absolute) * raised};
}

BoxDistance distance_of(const SpreadSums& sums, const Box& box, double scale) {
  const Span squares = squares_between(sums, box.x_first, box.x_last);
  const double above = squares.least - box.y_last * sums.divisor;
  const double below = box.y_first * sums.divisor - squares.greatest;
  return {std::max({above, below, 0.0}), squares.greatest - squares.least + 4 * scale * (box.x_last - box.x_first),
          (sums.divisor + 4 * scale) * (box.y_last - box.y_first)};
}

bool is_impossible(const Box& box, Divisor divisor) {
  const double most = 4 * greatest_variance(divisor) * raised;
  return box.y_first > most * (greatest_product(box.x_first, box.x_last) + absolute);
}

Span lengthened(const Span& span, double middle, double reach) {
  if (span.greatest - span.least >= reach) return span;
  return {std::min(span.least, middle - reach), std::max(span.greatest, middle + reach)};
}

double estimate(const SpreadSums& sums, double noise_variance) {
  if (!(sums.total > 0) || !(sums.divisor > 0)) return likely_variance;
  const double squares = std::max(sums.squares(std::clamp(sums.middle(), 0.0, 1.0)), 0.0);
  const double weight = 3 * noise_variance;
  return (squares * sums.divisor + likely_variance * weight) / (sums.divisor * sums.divisor + weight);
}

// rows_less_one has up to twice as much.
double rounding_of(const MeanNodes& nodes, Divisor divisor) {
  if (nodes.has_exact_squares()) return 0;
  return 2 * greatest_variance(divisor) * raised / static_cast<double>(nodes.weight());
}

Interval spreads_of(const Span& variances, double range, bool is_root) {
  return {down(variances.least, range, is_root), up(variances.greatest, range, is_root)};
}

}  // namespace vernier::interval
