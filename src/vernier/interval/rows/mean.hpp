#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/kept.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/grid_noise.hpp"

// The mean of the rows from noisy node sums, with an interval that is valid at every number of rows, 0 included:
// mean.md.
namespace vernier::interval {

// The mean of the clamped rows lies in the interval with probability 1 - alpha at least; of no rows at all every number
// counts as the mean.
struct MeanInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;       // within the interval
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within the bounds
  bool informative;   // false: the interval is all that the bounds allow, and the release says "no information"
  bool may_be_empty;  // true: that there is no row at all is not excluded either, at the same alpha
};

// Built once for all groups that share law, nodes, bounds and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class MeanInference {
 public:
  // Every node sum has noise of its own, from this law, in units of the nodes.
  static MeanInference of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds, Alpha alpha);

  // One released number per node, in their order.
  Result<MeanInterval> from(std::span<const std::int64_t> released) const;

 private:
  MeanInference(const CombinedNoise<Law>& noise, const MeanNodes& nodes, noise::ValueRange bounds, double variance)
      : noise_(noise), nodes_(nodes), bounds_(bounds), variance_(variance) {}
  CombinedNoise<Law> noise_;
  MeanNodes nodes_;
  noise::ValueRange bounds_;
  double variance_;  // of one noise
};

extern template class MeanInference<noise::Geometric>;
extern template class MeanInference<noise::DiscreteGaussian>;

// ---- what intervals of means share: released node sums, places between the bounds, and the way back to values.
// mean.md has the identities.

using Released = std::span<const std::int64_t>;

// Of released sums that are not one for each node.
Failure wrong_number_of_sums(const MeanNodes& nodes, Released released);

// Sum of (place - r) * released at the r of a cell that makes it least in size, rounded down; it is linear in r.
struct Imbalance {
  double size;       // 0 where the sign changes
  bool is_positive;  // the rows lie above the cell
};
Imbalance least_imbalance(const MeanNodes& nodes, Released released, Cell cell);

double as_place(Fraction r);  // between 0 and 1, to nearest

// Of the noise in the imbalance at r.
Coefficients imbalance_coefficients(const MeanNodes& nodes, Fraction r);

double total_of(Released released);

// Cells of this width are some 2^-bits of a length, where that is at most 1.
Fraction resolution_for(double length, int bits);

// Shrunken toward the middle by the noise: (A - B) t / (t^2 + v) with A and B the upper and the lower half of the rows,
// t = A + B, v the variance of the noise of A - B. As a place between 0 and 1.
double shrunken_place(const MeanNodes& nodes, Released released, double variance);

// The released sums' own mean, moved into [0, 1]; for a total above 0.
double ratio_place(const MeanNodes& nodes, Released released, double total);

// Whether the total of the released sums may be noise alone.
template <class Law>
bool may_have_no_rows(const CombinedNoise<Law>& noise, std::size_t sums, double total) {
  Coefficients every{};
  for (std::size_t i = 0; i < sums; ++i) every[i] = 1;
  return !noise.rarely_reaches({every, every}, total * (1 - 0x1p-48));
}
template <class Law>
bool may_have_no_rows(const CombinedNoise<Law>& noise, const MeanNodes& nodes, double total) {
  return may_have_no_rows(noise, nodes.count(), total);
}

// Places between 0 and 1; of none the first lies above the second.
struct Places {
  double low, high;
};
Places places_of(const std::optional<Hull>& hull);  // rounded outward

// Whether a test has cut away something at either end, and left something.
inline bool lies_inside(const Places& places) { return places.low > 0 && places.high < 1 && places.low <= places.high; }

// A hull that the bounds have cut to nothing, or short, looks more certain than it is: it gets its reach back.
Places lengthened(const Places& hull, double middle, double reach);

// On the bounds' scale, rounded outward and kept within the bounds.
Interval values_of(noise::ValueRange bounds, const Places& places);

// The value at a place, moved into the interval.
double value_at(noise::ValueRange bounds, double place, const Interval& interval);

// The distance of the farther end, rounded up.
double farthest_end(double value, const Interval& interval);

}  // namespace vernier::interval
