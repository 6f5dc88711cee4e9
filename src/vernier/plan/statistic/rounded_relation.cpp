#include "vernier/plan/statistic/rounded_relation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/statistic/population_slope.hpp"

namespace vernier::plan {
namespace {

using interval::Interval;

constexpr double raised = 1 + 0x1p-40;  // more than all roundings of doubles here
constexpr Interval anything{-steepest, steepest};

// A column on its grid: how far rounding moves a value, the greatest deviation, and the greatest size of a value.
struct Side {
  double moved, greatest, size;
};
Side side_of(double granularity, std::int64_t origin, std::int64_t steps, bool is_rounded) {
  const double lower = static_cast<double>(origin) * granularity, range = static_cast<double>(steps) * granularity;
  return {is_rounded ? granularity / 2 : 0, range / 2, std::max(std::abs(lower), std::abs(lower + range))};
}
Side x_of(const Measurement& one) {
  return side_of(one.paired->granularity, one.paired->origin, one.paired->steps, one.paired->is_rounded);
}
Side y_of(const Measurement& one) { return side_of(one.granularity, one.origin, one.steps, one.is_rounded); }

Interval widened(const Interval& found, double by) {
  if (!(by < steepest)) return anything;
  return {numeric::subtract_down(found.low, by * raised), numeric::add_up(found.high, by * raised)};
}

// abs(b - b') <= (moved_y + abs(b') moved_x) / s + moved_x * sd(y') / s^2, s = sd(x') - moved_x.
double slope_moved(const Side& x, const Side& y, double least_x, double steepness) {
  const double s = least_x * (1 - 0x1p-40) - x.moved;
  if (!(s > 0)) return steepest;
  return ((y.moved + steepness * x.moved) / s + x.moved * y.greatest / s / s) * raised;
}

double intercept_moved(const Side& x, const Side& y, double least_x) {
  if (!(least_x > x.moved)) return steepest;
  const double steepness = y.greatest / least_x * raised;
  return y.moved + slope_moved(x, y, least_x, steepness) * x.size + steepness * x.moved;
}

// Between the values and their steps, as vectors about their means: asin(t) <= t pi / 2.
double angle(double moved, double least) {
  if (moved == 0) return 0;
  return moved < least * (1 - 0x1p-40) ? moved / least * std::numbers::pi / 2 * raised : std::numbers::pi;
}

Interval squares(const Interval& found, double moved, double rows) {
  const double reach = std::sqrt(rows) * moved * raised;
  const double low = std::max(numeric::sqrt_down(std::max(found.low, 0.0)) - reach, 0.0);
  const double high = numeric::sqrt_up(std::max(found.high, 0.0)) + reach;
  return {low * low * (1 - 0x1p-40), high * high * raised};
}

Interval within(const Interval& all, double low, double high) {
  return {std::clamp(all.low, low, high), std::clamp(all.high, low, high)};
}

}  // namespace

bool is_rounded_relation(const Measurement& one) {
  if (!one.paired || !(one.is_rounded || one.paired->is_rounded)) return false;
  const Figure& figure = one.figure;
  return figure == Pair::slope || figure == SlopeOfPopulation::slope || figure == Pair::intercept ||
         figure == Pair::correlation || figure == Pair::determination || figure == Pair::squares_x ||
         figure == Pair::squares_y || figure == Pair::products;
}

Interval widened_relation(const Measurement& one, const Interval& found, const KnownSpreads& known) {
  const Side x = x_of(one), y = y_of(one);
  const double turned = angle(x.moved, known.least_x) + angle(y.moved, known.least_y);
  if (one.figure == Pair::slope || one.figure == SlopeOfPopulation::slope) {
    return widened(found, slope_moved(x, y, known.least_x, std::max(std::abs(found.low), std::abs(found.high))));
  }
  if (one.figure == Pair::intercept) return widened(found, intercept_moved(x, y, known.least_x));
  if (one.figure == Pair::correlation) return within(widened(found, turned), -1, 1);
  if (one.figure == Pair::determination) return within(widened(found, turned), 0, 1);
  if (one.figure == Pair::squares_x) return squares(found, x.moved, known.rows);
  if (one.figure == Pair::squares_y) return squares(found, y.moved, known.rows);
  return widened(found, known.rows * (x.moved * y.greatest + y.moved * x.greatest + x.moved * y.moved));
}

Estimate widened_estimate(const Measurement& one, Estimate found, const KnownSpreads& known) {
  found.interval = widened_relation(one, found.interval, known);
  found.accuracy = std::max({found.accuracy, numeric::subtract_up(found.value, found.interval.low),
                             numeric::subtract_up(found.interval.high, found.value)});
  found.informative = found.informative && found.interval.high < steepest;
  return found;
}

}  // namespace vernier::plan
