#include "vernier/interval/mean.hpp"

#include <algorithm>

#include "vernier/interval/mean_places.hpp"

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

}  // namespace vernier::interval
