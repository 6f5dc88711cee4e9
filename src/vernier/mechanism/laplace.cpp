#include "vernier/mechanism/laplace.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/mechanism/least_scale.hpp"
#include "vernier/mechanism/tight_epsilon.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Ball;
using numeric::Precision;
using privacy::Delta;
using privacy::Epsilon;
using privacy::L1Sensitivity;

struct LaplaceCurve {
  double scale;
  double sensitivity;

  // -expm1((epsilon - sensitivity / scale) / 2). Units of error: 3 of the exponent (a negative exponent's relative
  // error does not grow), 4 of expm1.
  Bounds delta(Epsilon epsilon) const {
    const double exponent = numeric::minus_quotient(epsilon.value(), sensitivity, scale) / 2;
    if (exponent >= 0) return {0, 0};
    const Bounds bounds = numeric::within_units(-std::expm1(exponent), 7);
    return {bounds.lower, std::min(bounds.upper, 1.0)};
  }

  // sensitivity / scale + 2 log1p(-delta), or 0.
  Result<Bounds> epsilon(Delta delta) const {
    if (delta.is_pure()) {
      return Bounds{numeric::divide_down(sensitivity, scale), numeric::divide_up(sensitivity, scale)};
    }
    const double saved = 2 * std::log1p(-delta.value());
    const double error = numeric::library_units * numeric::unit_roundoff * -saved;
    return tight_epsilon(plus(numeric::split_quotient(sensitivity, scale), saved, error),
                         [&](Precision precision) { return fine_epsilon(delta, precision).bounds(); });
  }

  Ball fine_epsilon(Delta delta, Precision precision) const {
    const Ball saved = times_power_of_two(log1p(Ball::of(-delta.value(), precision)), 1);
    return Ball::of(sensitivity, precision) / Ball::of(scale, precision) + saved;
  }
};

}  // namespace

Result<LaplaceMechanism> LaplaceMechanism::calibrate(Epsilon epsilon, Delta delta, L1Sensitivity sensitivity) {
  const double guess = sensitivity.value() / (epsilon.value() - 2 * std::log1p(-delta.value()));
  const auto curve_at = [&](double scale) { return LaplaceCurve{scale, sensitivity.value()}; };
  VERNIER_TRY(const double least, least_scale_for(epsilon, delta, guess, curve_at));
  const Result<LaplaceScale> scale = LaplaceScale::of(least);
  if (scale) return at_scale(*scale, sensitivity);
  return no_such_scale(epsilon, delta, shortest(sensitivity.value()), least, least_scale, greatest_scale);
}

LaplaceMechanism LaplaceMechanism::at_scale(LaplaceScale scale, L1Sensitivity sensitivity) {
  return {noise::Laplace::of(scale), sensitivity};
}

privacy::PrivacyCurve LaplaceMechanism::curve() const {
  return privacy::PrivacyCurve(LaplaceCurve{law_.scale(), sensitivity_.value()});
}

}  // namespace vernier::mechanism
