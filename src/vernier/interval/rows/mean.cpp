#include "vernier/interval/rows/mean.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr int finer_than_noise = 12;  // bits

// What the test keeps, for sums whose total is above 0.
template <class Law>
Places kept_places(const CombinedNoise<Law>& noise, const MeanNodes& nodes, Released released, double total) {
  const auto rejects = [&](Cell cell) {
    return noise.rarely_reaches({imbalance_coefficients(nodes, cell.first), imbalance_coefficients(nodes, cell.last)},
                                least_imbalance(nodes, released, cell).size);
  };
  const double length = noise.law().scale() / std::max(total, noise.law().scale());
  const Places places = places_of(kept_hull(rejects, resolution_for(length, finer_than_noise)));
  if (lies_inside(places)) return places;
  const double middle = ratio_place(nodes, released, total);
  const double reach = noise.reach(imbalance_coefficients(nodes, static_cast<Fraction>(middle * 0x1p60)));
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
  if (released.size() != nodes_.count()) return wrong_number_of_sums(nodes_, released);
  const double total = total_of(released);
  const Places places = total > 0 ? kept_places(noise_, nodes_, released, total) : Places{0, 1};
  const Interval interval = values_of(bounds_, places);
  const double value = value_at(bounds_, shrunken_place(nodes_, released, variance_), interval);
  return MeanInterval{value, farthest_end(value, interval), interval, places.low > 0 || places.high < 1,
                      may_have_no_rows(noise_, nodes_, total)};
}

template class MeanInference<noise::Geometric>;
template class MeanInference<noise::DiscreteGaussian>;

namespace {

__extension__ using Wide = __int128;

constexpr double unit = 0x1p-60;  // of a Fraction

Fraction place(const MeanNodes& nodes, std::size_t node) { return nodes.twice_place(node) * (one / 2); }

// Sum of (place - r) * released, in units of 2^-60: exact, and at r = the true mean a combination of the noise alone.
Wide imbalance(const MeanNodes& nodes, Released released, Fraction r) {
  Wide sum = 0;
  for (std::size_t i = 0; i < nodes.count(); ++i) sum += Wide{place(nodes, i) - r} * released[i];
  return sum;
}

Wide size_of(Wide x) { return x < 0 ? -x : x; }

double down(noise::ValueRange bounds, double place) {
  const double above = numeric::multiply_down(numeric::subtract_down(bounds.upper(), bounds.lower()), place);
  return bounds.clamp(numeric::add_down(bounds.lower(), above));
}
double up(noise::ValueRange bounds, double place) {
  if (place >= 1) return bounds.upper();
  const double above = numeric::multiply_up(numeric::subtract_up(bounds.upper(), bounds.lower()), place);
  return bounds.clamp(numeric::add_up(bounds.lower(), above));
}

}  // namespace

Failure wrong_number_of_sums(const MeanNodes& nodes, Released released) {
  return invalid("a mean needs one released sum per node, " + std::to_string(nodes.count()) + ", but there are " +
                 std::to_string(released.size()));
}

Imbalance least_imbalance(const MeanNodes& nodes, Released released, Cell cell) {
  const Wide first = imbalance(nodes, released, cell.first), last = imbalance(nodes, released, cell.last);
  if ((first <= 0 && last >= 0) || (first >= 0 && last <= 0)) return {0, first > 0};
  const auto nearest = static_cast<double>(std::min(size_of(first), size_of(last)));
  return {std::nextafter(nearest, 0) * unit, first > 0};
}

double as_place(Fraction r) { return static_cast<double>(r) * unit; }

Coefficients imbalance_coefficients(const MeanNodes& nodes, Fraction r) {
  Coefficients c{};
  for (std::size_t i = 0; i < nodes.count(); ++i) c[i] = static_cast<double>(place(nodes, i) - r) * unit;
  return c;
}

double total_of(Released released) {
  double total = 0;
  for (const std::int64_t sum : released) total += static_cast<double>(sum);
  return total;
}

Fraction resolution_for(double length, int bits) {
  return Fraction{1} << std::max(fraction_bits - bits + std::ilogb(std::min(length, 1.0)), 0);
}

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

double ratio_place(const MeanNodes& nodes, Released released, double total) {
  double upper = 0;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    upper += nodes.twice_place(i) / 2.0 * static_cast<double>(released[i]);
  }
  return std::clamp(upper / total, 0.0, 1.0);
}

Places places_of(const std::optional<Hull>& hull) {
  if (!hull) return {1, 0};
  const auto low = static_cast<double>(hull->low), high = static_cast<double>(hull->high);
  return {hull->low == 0 ? 0 : std::nextafter(low, 0) * unit, std::min(std::nextafter(high, 2.0 * one) * unit, 1.0)};
}

Places lengthened(const Places& hull, double middle, double reach) {
  if (hull.high - hull.low >= reach) return hull;
  return {std::max(std::min(hull.low, middle - reach), 0.0), std::min(std::max(hull.high, middle + reach), 1.0)};
}

Interval values_of(noise::ValueRange bounds, const Places& places) {
  return {down(bounds, places.low), up(bounds, places.high)};
}

double value_at(noise::ValueRange bounds, double place, const Interval& interval) {
  return std::clamp(bounds.lower() * (1 - place) + bounds.upper() * place, interval.low, interval.high);
}

double farthest_end(double value, const Interval& interval) {
  return std::max(numeric::subtract_up(value, interval.low), numeric::subtract_up(interval.high, value));
}

}  // namespace vernier::interval
