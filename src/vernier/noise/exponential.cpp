#include "vernier/noise/exponential.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/noise/certified.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::Precision;

namespace {

constexpr std::int64_t most_candidates = std::int64_t{1} << 53;
constexpr std::int64_t greatest_distance = std::int64_t{1} << 61;

}  // namespace

Result<Exponential> Exponential::of(LaplaceScale scale) {
  return integer_scale(scale.value()).map([](double value) { return Exponential(value); });
}

Ball Exponential::weight(std::int64_t distance, Precision precision) const {
  const Precision fine = guarded(precision);
  return rounded_to(exp(-Ball::of(distance, fine) / Ball::of(2 * scale_, fine)), precision);
}

// B candidates at distance d or more weigh at most B w(d), those at distance 0 at least 1: the page.
Result<std::int64_t> Exponential::distance_quantile(std::int64_t candidates, Probability tau) const {
  if (candidates < 2 || candidates > most_candidates) {
    return invalid("a choice has from 2 to 2^53 candidates, but this one has " + std::to_string(candidates));
  }
  if (!(tau.value() > 0 && tau.value() < 1)) return invalid("the chance of a distance must lie between 0 and 1");
  const Ball t = Ball::of(tau.value(), figure_precision);
  const Ball odds = t / (Ball::of(1, figure_precision) - t);
  const Ball far = Ball::of(candidates - 1, figure_precision);
  const auto is_rare = [&](std::int64_t d) { return less(far * weight(d, figure_precision), odds).value_or(false); };
  const double guess = 2 * scale_ * (std::log(static_cast<double>(candidates)) - std::log(tau.value()));
  const auto near = static_cast<std::int64_t>(std::clamp(guess, 1.0, 0x1p60));
  return numeric::least_integer(is_rare, near, {1, greatest_distance});
}

// The distance 2 s ln(B / odds) is linear in the scale.
double Exponential::scale_for(std::int64_t distance, std::int64_t candidates, Probability tau) {
  const Ball t = Ball::of(tau.value(), figure_precision);
  const Ball odds = t / (Ball::of(1, figure_precision) - t);
  const Ball each = times_power_of_two(log(Ball::of(candidates - 1, figure_precision) / odds), 1);
  const double most = (Ball::of(distance, figure_precision) / each).bounds().lower;
  // Fewer candidates than the odds allow need no distance at all; a NaN would not compare either.
  if (!(each.bounds().lower > 0) || !(most < greatest_integer_scale)) return greatest_integer_scale;
  return std::max(std::nextafter(most, 0), least_integer_scale);
}

}  // namespace vernier::noise
