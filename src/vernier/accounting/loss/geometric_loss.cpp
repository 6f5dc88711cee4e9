#include "vernier/accounting/loss/geometric_loss.hpp"

#include <array>
#include <cmath>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

namespace {

// tanh and its companions at x > 0, from e^(-2x); none of them overflows.
struct Hyperbolic {
  double tanh, coth, sech2, csch2;
};
Hyperbolic hyperbolic(double x) {
  const double e = std::exp(-2 * x), gap = -std::expm1(-2 * x);
  return {gap / (1 + e), (1 + e) / gap, 4 * e / ((1 + e) * (1 + e)), 4 * e / (gap * gap)};
}

// bow(x) = x coth x and its derivatives, within 1e-8.
struct Bow {
  double slope, bend;
};
Bow bow_at(double x, const Hyperbolic& h) {
  if (x < 0.01) return {2 * x / 3 * (1 - 2 * x * x / 15), 2.0 / 3 - 4 * x * x / 15};
  return {h.coth - x * h.csch2, 2 * h.csch2 * (x * h.coth - 1)};
}

// x coth x - (a/2) coth(a/2) for x = a (theta + 1/2) < 1/2: the terms 2^2n B_2n / (2n)! (x^2n - (a/2)^2n).
double bow_rise(double a, double theta) {
  constexpr std::array coefficients = {1.0 / 3,
                                       -1.0 / 45,
                                       2.0 / 945,
                                       -1.0 / 4725,
                                       2.0 / 93555,
                                       -1382.0 / 638512875,
                                       4.0 / 18243225,
                                       -3617.0 / 162820783125,
                                       87734.0 / 38979295480125,
                                       -349222.0 / 1531329465290625};
  const double x = a * (theta + 0.5), y = x * x, v = 0.25 * a * a;
  const double first = a * a * (theta * (1 + theta));
  double difference = first, power = 1, sum = 0;
  for (const double coefficient : coefficients) {
    sum += coefficient * difference;
    power *= v;
    difference = y * difference + first * power;
  }
  return sum;
}

// The rounding of v = ta costs phi 8 abs(kappa') min(1, D tanh(aw)) t units, because kappa comes into phi times
// 1 - e^(-2D(aw + iv)), which is small where kappa is steep.
KappaUnits kappa_units(const Interior& interior, double sensitivity, double tanh) {
  const double per_t = 8 * std::abs(interior.share_slope) * std::min(1.0, sensitivity * tanh);
  return {.real = 24, .complex = 64, .per_t = per_t};
}

}  // namespace

// 1 - kappa = sinh(a theta) / (cosh(a/2) sinh(aw)).
Interior GeometricLoss::interior_at(double theta) const {
  const double a = a_, x = a * (theta + 0.5);
  const Hyperbolic half = hyperbolic(0.5 * a), here = hyperbolic(x);
  const double e = std::exp(-a);
  const double share = half.tanh * here.coth;
  const Bow bow = bow_at(x, here);
  return {.share = share,
          .missing = 2 * e * (std::expm1(-2 * theta * a) / (std::expm1(-2 * x) * (1 + e))),
          .share_slope = -a * half.tanh * here.csch2,
          .share_bend = 2 * a * a * share * here.csch2,
          .height = sensitivity_ * half.tanh,
          .bow = x * here.coth,
          .bow_rise = x < 0.5 ? bow_rise(a, theta) : 0,
          .bow_slope = a * bow.slope,
          .bow_bend = a * a * bow.bend};
}

Cumulants GeometricLoss::cumulants(double theta) const {
  return two_sided_cumulants(c_.head, theta, interior_at(theta));
}

double GeometricLoss::greatest() const { return numeric::add_up(c_.head, c_.rest); }

GeometricLoss::Tilted::Tilted(const GeometricLoss& loss, double theta, const Interior& interior)
    : a_(loss.a_),
      tilt_(loss.c_, theta, interior,
            kappa_units(interior, loss.sensitivity_, hyperbolic(loss.a_ * (theta + 0.5)).tanh)) {
  const Hyperbolic here = hyperbolic(a_ * (theta + 0.5));
  tanh_half_ = hyperbolic(0.5 * a_).tanh;
  tanh_ = here.tanh;
  sech2_ = here.sech2;
}

// coth(x + iv) = (tanh x - i sin v cos v / cosh^2 x) / (tanh^2 x + sin^2 v / cosh^2 x): nothing cancels.
Frequency GeometricLoss::Tilted::at(double t) const {
  const std::complex<double> v = turn(t * a_);
  const double sine_part = v.imag() * sech2_;
  const double scale = tanh_half_ / (tanh_ * tanh_ + v.imag() * sine_part);
  return tilt_.at(t, {scale * tanh_, -scale * v.real() * sine_part});
}

}  // namespace vernier::accounting
