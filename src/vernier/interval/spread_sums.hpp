#pragma once

#include <array>
#include <cstdint>

#include "vernier/interval/kept_ends.hpp"
#include "vernier/interval/mean_places.hpp"
#include "vernier/interval/variance.hpp"

// What intervals of variances share: released sums as squares about a mean, and the way back to values. variance.md has
// the identities.
namespace vernier::interval {

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
