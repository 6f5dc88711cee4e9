#include "vernier/interval/mean.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "vernier/interval/kept_hull.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

constexpr double unit = 0x1p-60;  // of a Fraction
constexpr int finer_than_noise = 12;

using Released = std::span<const std::int64_t>;

// The place of a node between the bounds.
Fraction place(const MeanNodes& nodes, std::size_t node) { return nodes.twice_place(node) * (one / 2); }

// Sum of (place - r) * released, in units of 2^-60: exact, and at r = the true mean a combination of the noise alone.
Wide imbalance(const MeanNodes& nodes, Released released, Fraction r) {
  Wide sum = 0;
  for (std::size_t i = 0; i < nodes.count(); ++i) sum += Wide{place(nodes, i) - r} * released[i];
  return sum;
}

Wide size_of(Wide x) { return x < 0 ? -x : x; }

// The least abs(imbalance) over a cell, rounded down. It is linear in r.
double least_imbalance(const MeanNodes& nodes, Released released, Cell cell) {
  const Wide first = imbalance(nodes, released, cell.first), last = imbalance(nodes, released, cell.last);
  if ((first <= 0 && last >= 0) || (first >= 0 && last <= 0)) return 0;
  const auto nearest = static_cast<double>(std::min(size_of(first), size_of(last)));
  return std::nextafter(nearest, 0) * unit;
}

Coefficients coefficients(const MeanNodes& nodes, Fraction r) {
  Coefficients c{};
  for (std::size_t i = 0; i < nodes.count(); ++i) c[i] = static_cast<double>(place(nodes, i) - r) * unit;
  return c;
}

double total_of(Released released) {
  double total = 0;
  for (const std::int64_t sum : released) total += static_cast<double>(sum);
  return total;
}

// Some 2^-12 of the interval's length where there are rows enough for one.
Fraction resolution_for(double total, double scale) {
  const int bits = fraction_bits - finer_than_noise + std::ilogb(scale / std::max(total, scale));
  return Fraction{1} << std::max(bits, 0);
}

// Shrunken toward the middle by the noise: (A - B) t / (t^2 + v) with A and B the upper and the lower half of the rows,
// t = A + B, v the variance of the noise of A - B. As a place between 0 and 1.
double shrunken_place(const MeanNodes& nodes, Released released, double variance) {
  double upper = 0, lower = 0;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    const double part = nodes.twice_place(i) / 2.0;
    upper += part * static_cast<double>(released[i]);
    lower += (1 - part) * static_cast<double>(released[i]);
  }
  const double a = std::max(upper, 0.0), b = std::max(lower, 0.0), t = a + b;
  return 0.5 + 0.5 * (a - b) * t / (t * t + 2 * variance);
}

// The released sums' own mean, moved into [0, 1].
double ratio_place(const MeanNodes& nodes, Released released, double total) {
  double upper = 0;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    upper += nodes.twice_place(i) / 2.0 * static_cast<double>(released[i]);
  }
  return std::clamp(upper / total, 0.0, 1.0);
}

// Whether the total of the released sums may be noise alone.
template <class Law>
bool may_have_no_rows(const CombinedNoise<Law>& noise, const MeanNodes& nodes, double total) {
  Coefficients every{};
  std::fill_n(every.begin(), nodes.count(), 1.0);
  return !noise.rarely_reaches({every, every}, total * (1 - 0x1p-48));
}

// A place on the bounds' scale, rounded down or up and kept within the bounds.
double down(noise::ValueRange bounds, double place) {
  const double above = numeric::multiply_down(numeric::subtract_down(bounds.upper(), bounds.lower()), place);
  return bounds.clamp(numeric::add_down(bounds.lower(), above));
}
double up(noise::ValueRange bounds, double place) {
  if (place >= 1) return bounds.upper();
  const double above = numeric::multiply_up(numeric::subtract_up(bounds.upper(), bounds.lower()), place);
  return bounds.clamp(numeric::add_up(bounds.lower(), above));
}

double farthest_end(double value, const Interval& interval) {
  return std::max(numeric::subtract_up(value, interval.low), numeric::subtract_up(interval.high, value));
}

// Places between 0 and 1; may be none.
struct Places {
  double low, high;
};

Places places_of(const std::optional<Hull>& hull) {
  if (!hull) return {1, 0};
  const auto low = static_cast<double>(hull->low), high = static_cast<double>(hull->high);
  return {hull->low == 0 ? 0 : std::nextafter(low, 0) * unit, std::min(std::nextafter(high, 2.0 * one) * unit, 1.0)};
}

// A hull that the bounds have cut to nothing, or short, looks more certain than it is: it gets its reach back.
Places lengthened(Places hull, double middle, double reach) {
  if (hull.high - hull.low >= reach) return hull;
  return {std::max(std::min(hull.low, middle - reach), 0.0), std::min(std::max(hull.high, middle + reach), 1.0)};
}

// What the test keeps, for sums whose total is above 0.
template <class Law>
Places kept_places(const CombinedNoise<Law>& noise, const MeanNodes& nodes, Released released, double total) {
  const auto rejects = [&](Cell cell) {
    return noise.rarely_reaches({coefficients(nodes, cell.first), coefficients(nodes, cell.last)},
                                least_imbalance(nodes, released, cell));
  };
  const Places places = places_of(kept_hull(rejects, resolution_for(total, noise.law().scale())));
  if (places.low > 0 && places.high < 1 && places.low <= places.high) return places;
  const double middle = ratio_place(nodes, released, total);
  const double reach = noise.reach(coefficients(nodes, static_cast<Fraction>(middle * 0x1p60)));
  return lengthened(places, middle, reach / std::max(total, static_cast<double>(nodes.weight())));
}

}  // namespace

template <class Law>
MeanInference<Law> MeanInference<Law>::of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                          Alpha alpha) {
  return MeanInference(CombinedNoise<Law>::of(law, alpha, nodes.count()), nodes, bounds, law.variance().upper);
}

template <class Law>
Result<MeanInterval> MeanInference<Law>::from(Released released) const {
  if (released.size() != nodes_.count()) {
    return invalid("a mean needs one released sum per node, " + std::to_string(nodes_.count()) + ", but there are " +
                   std::to_string(released.size()));
  }
  const double total = total_of(released);
  const Places places = total > 0 ? kept_places(noise_, nodes_, released, total) : Places{0, 1};
  const Interval interval{down(bounds_, places.low), up(bounds_, places.high)};
  const double place = shrunken_place(nodes_, released, variance_);
  const double value = std::clamp(bounds_.lower() * (1 - place) + bounds_.upper() * place, interval.low, interval.high);
  return MeanInterval{value, farthest_end(value, interval), interval, places.low > 0 || places.high < 1,
                      may_have_no_rows(noise_, nodes_, total)};
}

template class MeanInference<noise::Geometric>;
template class MeanInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
