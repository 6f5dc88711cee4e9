#include "vernier/accounting/loss/sampled_curve.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/core/text.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;
using privacy::Delta;
using privacy::Epsilon;
using privacy::PrivacyCurve;

constexpr Precision precision{128};
constexpr double least_epsilon = 1e-10;
constexpr double greatest_epsilon = 1e4;

// The release's delta at an epsilon that lies in the bounds and is not below `least`.
Bounds delta_within(const PrivacyCurve& release, Bounds epsilon, double least) {
  const double first = std::clamp(epsilon.lower, least, greatest_epsilon);
  const double upper = release.delta(*Epsilon::of(first)).upper;
  if (!(epsilon.upper <= greatest_epsilon)) return {0, upper};
  if (epsilon.upper <= first) return {release.delta(*Epsilon::of(first)).lower, upper};
  return {release.delta(*Epsilon::of(epsilon.upper)).lower, upper};
}

Bounds product(Bounds factor, Bounds delta) {
  return {numeric::multiply_down(factor.lower, delta.lower), numeric::multiply_up(factor.upper, delta.upper)};
}

Bounds sampled_epsilon(double epsilon, double rate) {
  return log1p(Ball::of(rate, precision) * expm1(Ball::of(epsilon, precision))).bounds();
}

}  // namespace

Bounds sampled_epsilon(Bounds epsilon, privacy::SamplingRate rate) {
  return {sampled_epsilon(epsilon.lower, rate.value()).lower,
          std::min(epsilon.upper, sampled_epsilon(epsilon.upper, rate.value()).upper)};
}

Bounds SampledCurve::remove(Epsilon epsilon) const {
  const double rate = rate_.value(), least = epsilon.value();
  const Ball own = log1p(expm1(Ball::of(epsilon.value(), precision)) / Ball::of(rate, precision));
  return product({rate, rate}, delta_within(release_, own.bounds(), least));
}

// a = q - (1 - q)(x - 1); the release's epsilon is ln(x q / a).
Bounds SampledCurve::add(Epsilon epsilon) const {
  const Ball q = Ball::of(rate_.value(), precision), e = Ball::of(epsilon.value(), precision);
  const Ball share = q - (Ball::of(1, precision) - q) * expm1(e);
  const Bounds known = share.bounds();
  if (!(known.upper > 0)) return {0, 0};
  if (!(known.lower > 0)) return {0, known.upper};
  const Bounds own = (e + log(q / share)).bounds();
  return product(known, delta_within(release_, own, epsilon.value()));
}

Bounds SampledCurve::delta(Epsilon epsilon) const {
  if (rate_.is_everyone()) return release_.delta(epsilon);
  const Bounds first = remove(epsilon), second = add(epsilon);
  return {std::max(first.lower, second.lower), std::min(1.0, std::max(first.upper, second.upper))};
}

// Without delta only the greatest loss counts, and that of the direction remove is the greater.
Result<Bounds> SampledCurve::pure_epsilon() const {
  return release_.epsilon(Delta::zero()).map([&](const Bounds& own) { return sampled_epsilon(own, rate_); });
}

double SampledCurve::guess(Delta delta) const {
  const auto own_delta = Delta::of(delta.value() / rate_.value());
  if (!own_delta) return least_epsilon;
  const auto own = release_.epsilon(*own_delta);
  return own ? std::max(least_epsilon, sampled_epsilon(*own, rate_).upper) : least_epsilon;
}

Result<Bounds> SampledCurve::epsilon(Delta delta) const {
  if (rate_.is_everyone()) return release_.epsilon(delta);
  if (delta.is_pure()) return pure_epsilon();
  const auto bounds_at = [&](double x) { return this->delta(*Epsilon::of(x)); };
  const auto certainly = [&](double x) { return bounds_at(x).upper <= delta.value(); };
  const auto perhaps = [&](double x) { return bounds_at(x).lower <= delta.value(); };
  const numeric::DoubleRange range{least_epsilon, greatest_epsilon};
  const auto upper = numeric::least_double(certainly, guess(delta), range);
  if (!upper) {
    return invalid("no epsilon up to 1e4 has a delta of " + shortest(delta.value()) +
                   " on this sample; allow a larger delta, or add more noise");
  }
  const auto lower = numeric::least_double(perhaps, *upper, range);
  if (!lower || *lower == least_epsilon) return Bounds{0, *upper};
  return Bounds{std::nextafter(std::min(*lower, *upper), 0), *upper};
}

}  // namespace vernier::accounting
