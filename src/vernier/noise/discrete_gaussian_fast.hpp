#pragma once

#include <cstdint>
#include <optional>

#include "vernier/core/types.hpp"
#include "vernier/numeric/double_double.hpp"

// The sums of the discrete Gaussian in plain doubles, each with an error bound that is computed beside it and proven in
// discrete_gaussian.md. Well below a microsecond; the balls of gaussian_sum.hpp answer where these say none.
namespace vernier::noise {

// The exact number is value (1 + e) with abs(e) <= error.
struct Approximation {
  double value;
  double error;
};

// The exact number is within error of value.
struct Enclosed {
  double value;
  double error;
};

// Sum over all integers of exp(-x^2 / (2 s^2)).
Approximation fast_gaussian_total(double s);

// c^2 / (2 s^2) with a relative error of 2^-102. In plain doubles an exponent of 690 would cost 690 roundings.
numeric::DoubleDouble half_square(double c, double s);

// exp(-exponent), with a relative error of at most exp_error while the exponent is at most greatest_exponent, beyond
// which doubles are coarse.
inline constexpr double greatest_exponent = 700;
inline constexpr double exp_error = 0x1p-50;
double exp_minus(const numeric::DoubleDouble& exponent);

// From this many scales on a tail probability is below the least positive double: P[X >= x] <= exp(-x^2 / (2 s^2)).
inline constexpr double scales_to_underflow = 39;

// The correction of the midpoint rule: the sum over x > c - 1/2 is s exp(-z^2/2) (M(z) + midpoint_series + remainder),
// z = c / s, h = 1 / s, for s >= 8 and h abs(z) <= 1.2, with M the Mills ratio.
struct SeriesCut {
  int terms;
  double remainder;  // its absolute value is at most this
};
std::optional<SeriesCut> midpoint_cut(double h, double z, double allowed);  // none where 14 terms do not suffice
Enclosed midpoint_series(double h, double z, int terms);

// Sum over x > m of exp(-x^2 / (2 s^2)): factor exp(-exponent), for an integer m from 0 up to 2^50.
struct UpperSum {
  Approximation factor;
  numeric::DoubleDouble exponent;
};
UpperSum fast_upper_sum(double s, double m);

// P[abs(X) > a] for 0 <= a < scales_to_underflow s; none where it is too small for doubles to hold well.
std::optional<Bounds> fast_outside(double s, std::int64_t a);

}  // namespace vernier::noise
