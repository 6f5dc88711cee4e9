#include "vernier/noise/box.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr double last_digits = 1e-12;      // of sums of at most 24 positive terms, and of 64 of these
constexpr int parts = 64;                  // of the trapezoids
constexpr double greatest_noise = 0x1p50;  // scale times half: the size of the noise is a thousand times that never

// E[(1 - x / R)+] for R of the gamma law with n + 1: P[R abs(U) > x]. box.md, "Tails".
double outside_of_one(std::size_t n, double x) {
  constexpr double never = 2000;  // beyond, the tail of 24 numbers is below the least double
  if (x > never) return 0;
  double power = 1, sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    sum += power * (1 - static_cast<double>(k) / static_cast<double>(n));
    power *= x / static_cast<double>(k + 1);
  }
  return sum * std::exp(-x / 2) * std::exp(-x / 2);  // e^-x itself would underflow too soon
}

// The mean of w -> w E[(1 - t / (w R))+] between a - b and a + b, divided by a. It is convex, so that trapezoids lie
// above it.
double outside_of_two(std::size_t n, double a, double b, double t) {
  const double first = a - b, step = 2 * b / parts;
  const auto height = [&](double w) { return w > 0 ? w * outside_of_one(n, t / w) : 0; };
  double sum = (height(first) + height(a + b)) / 2;
  for (int i = 1; i < parts; ++i) sum += height(first + i * step);
  return sum / parts / a;
}

// floor(x), where all of the ball has one.
std::optional<std::int64_t> certain_floor(const Ball& x) {
  const std::int64_t floor = x.floor_down();
  const auto is_below = less(x, Ball::of(floor + 1, x.precision()));
  return is_below && *is_below ? std::optional(floor) : std::nullopt;
}

bool is_small(const Ball& x) {
  const Bounds bounds = x.bounds();
  return bounds.lower > -0x1p62 && bounds.upper < 0x1p62;
}

}  // namespace

double box_outside(std::size_t numbers, double a, double b, double t) {
  const double most = std::max(std::abs(a), std::abs(b)), least = std::min(std::abs(a), std::abs(b));
  if (most == 0) return 0;
  const double found = least == 0 ? outside_of_one(numbers, t / most) : outside_of_two(numbers, most, least, t);
  return std::min(1.0, found * (1 + last_digits) + 1e-320);
}

double box_reach(std::size_t numbers, double a, double b, Alpha alpha) {
  const double size = std::abs(a) + std::abs(b);
  if (size == 0) return 0;
  const auto is_rare = [&](double t) { return box_outside(numbers, a, b, t) <= alpha.value(); };
  double rare = size;
  while (!is_rare(rare)) rare *= 2;
  double often = 0;
  while (rare - often > rare * 0x1p-40) {
    const double middle = often + (rare - often) / 2;
    (is_rare(middle) ? rare : often) = middle;
  }
  return rare;
}

Result<BoxSampler> BoxSampler::of(const Box& law, std::vector<std::int64_t> halves) {
  if (halves.empty() || halves.size() > most_box_numbers) {
    return invalid("noise of a box is for 1 to " + std::to_string(most_box_numbers) + " numbers");
  }
  const auto [least, greatest] = std::minmax_element(halves.begin(), halves.end());
  if (*least < 1) return invalid("a number of a box must be able to move");
  if (!(static_cast<double>(*greatest) * law.scale() <= greatest_noise)) {
    return invalid("noise of a box could leave 64 bits; take narrower bounds, or a coarser granularity");
  }
  return BoxSampler(law, std::move(halves));
}

// R = -ln(V_0 ... V_n), a sum of n + 1 exponential variables; Y_j = scale R (2 U_j - 1).
bool BoxSampler::is_certain(std::span<const numeric::LazyUniform> uniforms, Precision precision,
                            std::span<std::int64_t> out) const {
  const std::size_t n = halves_.size();
  Ball product = uniforms[n].ball(precision);
  for (std::size_t i = n + 1; i < uniforms.size(); ++i) product = product * uniforms[i].ball(precision);
  const auto is_positive = less(Ball::of(0, precision), product);
  if (!is_positive || !*is_positive) return false;
  const Ball size = -log(product) * Ball::of(law_.scale(), precision);
  const Ball half = times_power_of_two(Ball::of(1, precision), -1);
  for (std::size_t j = 0; j < n; ++j) {
    const Ball place = times_power_of_two(uniforms[j].ball(precision), 1) - Ball::of(1, precision);
    const Ball moved = size * place * Ball::of(halves_[j], precision) + half;
    if (!is_small(moved)) return false;
    const auto floor = certain_floor(moved);
    if (!floor) return false;
    out[j] = *floor;
  }
  return true;
}

}  // namespace vernier::noise
