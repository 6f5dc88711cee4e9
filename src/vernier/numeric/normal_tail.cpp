#include "vernier/numeric/normal_tail.hpp"

namespace vernier::numeric {
namespace {

// z times the Mills ratio: 1 - 1/z^2 + 3/z^4 - 15/z^6 + ..., whose error is at most the first term left out.
Ball mills_series(const Ball& z_squared) {
  const Precision precision = z_squared.precision();
  const Ball enough = times_power_of_two(Ball::of(1, precision), -precision.bits);
  Ball sum = Ball::of(1, precision);
  Ball size = sum;  // of the term, without its sign
  for (int k = 1;; ++k) {
    size = size * Ball::of(2 * k - 1, precision) / z_squared;
    if (less(size, enough) == true) return widened(sum, size);
    sum = k % 2 == 0 ? sum + size : sum - size;
  }
}

bool is_far(const Ball& z, const Ball& z_squared) {
  const Precision precision = z.precision();
  return z.bounds().lower > 0 && less(Ball::of(2 * precision.bits, precision), z_squared) == true;
}

Ball near_integral(const Ball& z) {
  const Ball half_pi = times_power_of_two(Ball::pi(z.precision()), -1);
  return sqrt(half_pi) * erfc(z / sqrt(Ball::of(2, z.precision())));
}

}  // namespace

Ball normal_tail_integral(const Ball& z) {
  const Ball z_squared = power(z, 2);
  if (!is_far(z, z_squared)) return near_integral(z);
  return exp(-times_power_of_two(z_squared, -1)) * mills_series(z_squared) / z;
}

Ball mills_ratio(const Ball& z) {
  const Ball z_squared = power(z, 2);
  if (is_far(z, z_squared)) return mills_series(z_squared) / z;
  return exp(times_power_of_two(z_squared, -1)) * near_integral(z);
}

}  // namespace vernier::numeric
