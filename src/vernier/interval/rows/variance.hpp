#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/kept.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/statement.hpp"

// Variance and standard deviation of the rows from three noisy node sums, with an interval that is valid at every
// number of rows: variance.md.
namespace vernier::interval {

enum class Divisor : std::uint8_t {
  rows,           // the population form
  rows_less_one,  // the sample form, which is defined from two rows on
};

// What is told of the spread of the rows.
struct SpreadForm {
  Divisor divisor;
  bool is_root;  // the standard deviation
};

// The spread of the clamped rows lies in the interval with probability 1 - alpha at least; where it is not defined
// every number counts as the spread.
struct SpreadInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;       // within the interval, never negative
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within 0 and what the bounds allow
  bool informative;   // false: the interval is all that the bounds allow
  bool may_be_empty;  // true: that there are too few rows for it (none, or one of the sample form) is not excluded
};

// Built once for all groups that share law, nodes, bounds and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class SpreadInference {
 public:
  // Of rows between 0 and `range`, which is upper - lower bound; nodes must be three, of the Bernstein basis.
  static Result<SpreadInference> of(const Law& law, const MeanNodes& nodes, Real range, Alpha alpha, SpreadForm form);

  // One released number per node, in their order.
  Result<SpreadInterval> from(std::span<const std::int64_t> released) const;

 private:
  SpreadInference(const MeanInference<Law>& mean, const CombinedNoise<Law>& noise, const MeanNodes& nodes, double range,
                  SpreadForm form, double variance)
      : mean_(mean), noise_(noise), nodes_(nodes), range_(range), form_(form), variance_(variance) {}
  MeanInference<Law> mean_;   // of places between 0 and 1, at a tenth of alpha
  CombinedNoise<Law> noise_;  // at the rest
  MeanNodes nodes_;
  double range_;
  SpreadForm form_;
  double variance_;  // of one noise
};

extern template class SpreadInference<noise::Geometric>;
extern template class SpreadInference<noise::DiscreteGaussian>;

// The greatest variance of numbers between 0 and 1: 1/4, or 1/2 of the sample form (two rows, one at either bound).
constexpr double greatest_variance(Divisor divisor) { return divisor == Divisor::rows ? 0.25 : 0.5; }

// ---- what intervals of variances share: released sums as squares about a mean, and the way back to values.
// variance.md has the identities.

struct Span {
  double least, greatest;
};

// The released sums as doubles, and what follows from them.
struct SpreadSums {
  std::array<double, most_nodes> y;
  double weight;   // of one row
  double total;    // of all rows, noisy
  double divisor;  // total, or less one row
  double size;     // of all sums

  // The noisy sum of (place - r)^2: for total > 0 a parabola with its least value at `middle`.
  double squares(double r) const { return y[2] * (1 - r) * (1 - r) - y[1] * r * (1 - r) + y[0] * r * r; }
  double middle() const { return (y[2] + y[1] / 2) / total; }
  // Of any combination whose coefficients are at most 1; variance.md counts half of it.
  double error() const { return (size + weight) * 0x1p-48; }
  // A total that is nearly all cancelled tells nothing.
  bool tell_something() const { return divisor > 0x1p-40 * (size + weight); }
};
SpreadSums spread_sums(Released released, std::int64_t weight, Divisor divisor);

// Of the noisy squares over a range of means.
Span squares_between(const SpreadSums& sums, double first, double last);

// The greatest r (1 - r).
double greatest_product(double first, double last);

// The sizes of the noise's coefficients r^2 - v, -r (1 - r) - v, (1 - r)^2 - v anywhere in a box of means r = x and
// variances v = y.
Coefficients greatest_sizes(const Box& box);

// How a box lies to the released sums.
struct BoxDistance {
  double distance;          // by which abs(squares - v * divisor) is at least away from 0
  double x_slack, y_slack;  // by how much it varies along either side
};
BoxDistance distance_of(const SpreadSums& sums, const Box& box, double scale);

// Whether rows with a mean of the box have no variance of the box: it is at most r (1 - r), and twice that in the
// sample form.
bool is_impossible(const Box& box, Divisor divisor);

// The ends of what a test keeps of variances up to `most`, for means between 0 and 1; of nothing kept the second lies
// below the first.
template <class Test>
Span kept_variances(const Test& test, const Interval& means, double most) {
  const auto low = least_kept(test, {means.low, means.high, 0, most});
  if (!low) return {most, 0};
  const auto mirrored = [&](const Box& box) { return test({box.x_first, box.x_last, -box.y_last, -box.y_first}); };
  const auto high = least_kept(mirrored, {means.low, means.high, -most, 0});
  return {*low, high ? -*high : most};
}

// A span that the bounds have cut to nothing, or short, looks more certain than it is: it gets its reach back.
Span lengthened(const Span& span, double middle, double reach);

// What the released sums say of themselves, shrunken toward a deviation of a quarter of the range by the noise.
double estimate(const SpreadSums& sums, double noise_variance);

// By what the rounding of squares can move a variance.
double rounding_of(const MeanNodes& nodes, Divisor divisor);

// Variances of places on the scale of the values, outward.
Interval spreads_of(const Span& variances, double range, bool is_root);

// Whether the total may be noise on top of so few rows that the form is not defined.
template <class Law>
bool may_be_too_few(const CombinedNoise<Law>& noise, const SpreadSums& sums) {
  return !noise.rarely_reaches({{1, 1, 1}, {1, 1, 1}}, sums.divisor - sums.error());
}

}  // namespace vernier::interval
