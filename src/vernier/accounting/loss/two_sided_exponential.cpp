#include "vernier/accounting/loss/two_sided_exponential.hpp"

#include "vernier/accounting/loss/loss_law.hpp"

namespace vernier::accounting {

namespace {

constexpr double u = numeric::unit_roundoff;

// A sum, and the sum of the sizes of its terms, of which its error is a fraction.
struct Sum {
  double value = 0;
  double size = 0;
  void add(double term) {
    value += term;
    size += std::abs(term);
  }
};

// E[e^(theta L)] - 1 by its parts of e^(theta c) - 1 = rise and so on.
Sum excess_by_parts(double c, double theta, const Interior& interior) {
  const double rise = std::expm1(theta * c);
  const double far = std::exp(-(1 + theta) * c);
  Sum sum;
  sum.add(0.5 * rise * -std::expm1(-(1 + theta) * c));
  sum.add(0.5 * interior.share * rise * (1 + far));
  sum.add(0.5 * interior.missing * std::expm1(-c));
  return sum;
}

// The sum over n >= 1 of ((wc)^2n - (c/2)^2n) / (2n+1)!, for wc < 1/2.
double sinh_rise(double c, double theta) {
  const double y = (theta + 0.5) * c * ((theta + 0.5) * c), v = 0.25 * c * c;
  const double first = c * c * (theta * (1 + theta));
  double difference = first, power = 1, factorial = 6, sum = 0;
  for (int n = 1; n <= 8; ++n) {
    sum += difference / factorial;
    power *= v;
    difference = y * difference + first * power;
    factorial *= (2 * n + 2) * (2 * n + 3);
  }
  return sum;
}

// sinh(x) / x for abs(x) < 1/4.
double sinh_quotient(double x) {
  const double y = x * x;
  return 1 + y / 6 * (1 + y / 20 * (1 + y / 42 * (1 + y / 72 * (1 + y / 110))));
}

// The same where the losses are small, by series of positive terms.
Sum excess_by_series(double c, double theta, const Interior& interior) {
  const double interior_rise = interior.bow * sinh_rise(c, theta) + sinh_quotient(0.5 * c) * interior.bow_rise;
  Sum sum;
  sum.add(0.5 * std::expm1(theta * c) * -std::expm1(-(1 + theta) * c));
  sum.add(std::exp(-0.5 * c) * interior.height * interior_rise);
  return sum;
}

struct Value {
  double value, error;
};

// ln(1 + excess), of parts that are each within 64 units.
Value near_value(const Sum& excess) {
  const double value = std::log1p(std::max(excess.value, 0.0));
  return {value, u * (64 * excess.size + 8 * value) + negligible};
}

// Relatively to the greatest loss, for theta c >= 2.
Value far_value(double c, double theta, const Interior& interior) {
  const double odds = std::exp(-(1 + 2 * theta) * c);
  const double value = theta * c + std::log(0.5 * ((1 + odds) + interior.share * (1 - odds)));
  return {value, u * (4 * theta * c + 48) + negligible};
}

Value value_at(double c, double theta, const Interior& interior) {
  if (theta * c >= 2) return far_value(c, theta, interior);
  return near_value((1 + theta) * c < 0.5 ? excess_by_series(c, theta, interior) : excess_by_parts(c, theta, interior));
}

// Mean and variance of the tilted loss; each is off by at most `fraction` of its size.
struct Moments {
  Sum mean, variance;
  double fraction;
};

// The derivatives of G(x) = sinh(x) / x, within 1e-9.
struct SinhQuotient {
  double value, slope, bend;
};
SinhQuotient sinh_quotient_at(double x, double sinh, double cosh) {
  if (x < 0.01) return {1 + x * x / 6, x / 3 * (1 + x * x / 10), 1.0 / 3 + x * x / 10};
  const double value = sinh / x, slope = (cosh - value) / x;
  return {value, slope, value - 2 * slope / x};
}

// wc < 1: by F = cosh(wc) + height bow G.
Moments near_moments(double c, double x, const Interior& in) {
  const double rise = std::expm1(x);
  const double sinh = 0.5 * (rise + rise / (1 + rise)), cosh = 1 + 0.5 * rise * rise / (1 + rise);
  const SinhQuotient g = sinh_quotient_at(x, sinh, cosh);
  const double whole = cosh + in.height * in.bow * g.value;
  Moments moments{{}, {}, 1e-7};
  moments.mean.add(c * sinh / whole);
  moments.mean.add(in.height * (in.bow_slope * g.value + in.bow * c * g.slope) / whole);
  moments.variance.add(c * c * cosh / whole);
  moments.variance.add(in.height * (in.bow_bend * g.value + 2 * in.bow_slope * c * g.slope + in.bow * c * c * g.bend) /
                       whole);
  moments.variance.add(-moments.mean.value * moments.mean.value);
  return moments;
}

// wc >= 1: by K = -c/2 + ln cosh(wc) + ln(1 + kappa tanh(wc)).
Moments far_moments(double c, double x, const Interior& in) {
  const double odds = std::exp(-2 * x);
  const double tanh = -std::expm1(-2 * x) / (1 + odds), sech2 = 4 * odds / ((1 + odds) * (1 + odds));
  const double tau = in.share * tanh;
  Moments moments{{}, {}, 1e-12};
  moments.mean.add(c * tanh);
  moments.mean.add(in.share_slope * tanh / (1 + tau));
  moments.mean.add(in.share * c * sech2 / (1 + tau));
  const double drift = (in.share_slope * tanh + in.share * c * sech2) / (1 + tau);
  moments.variance.add(c * sech2 * c * (1 - tau) / (1 + tau));
  moments.variance.add(in.share_bend * tanh / (1 + tau));
  moments.variance.add(2 * in.share_slope * c * sech2 / (1 + tau));
  moments.variance.add(-drift * drift);
  return moments;
}

Moments moments_at(double c, double theta, const Interior& interior) {
  const double x = (theta + 0.5) * c;
  return x < 1 ? near_moments(c, x, interior) : far_moments(c, x, interior);
}

// E abs(L - centre) <= sqrt(variance + (mean - centre)^2).
double spread_by_variance(const Moments& moments) {
  const double off = 2 * moments.fraction * moments.mean.size;
  const double variance = std::max(moments.variance.value, 0.0) + 2 * moments.fraction * moments.variance.size;
  return std::sqrt(variance + off * off) * (1 + 8 * u) + 1e-140;
}

// E abs(L - centre) <= E(c - L) + abs(c - centre), where c - mean <= c (1 - tanh(wc)) + abs(kappa').
double spread_by_end(double c, double upper, double odds, const Interior& interior) {
  return (2 * c * odds + std::abs(interior.share_slope) + std::abs(upper)) * (1 + 1e-11) + negligible * (1 + c);
}

}  // namespace

Cumulants two_sided_cumulants(double c, double theta, const Interior& interior) {
  const Value value = value_at(c, theta, interior);
  const Moments moments = moments_at(c, theta, interior);
  return {value.value, moments.mean.value, std::max(moments.variance.value, least_variance), value.error};
}

TwoSidedTilt::TwoSidedTilt(const numeric::SplitQuotient& c, double theta, const Interior& interior,
                           const KappaUnits& units)
    : kappa_units_(units.complex + 12), constant_units_(units.real + 20) {
  const Moments moments = moments_at(c.head, theta, interior);
  centre_ = moments.mean.value;
  upper_ = from_centre(c.head, c.rest, centre_);
  lower_ = -from_centre(c.head, c.rest, -centre_);
  odds_ = std::exp(-(1 + 2 * theta) * c.head);
  inverse_ = 1 / ((1 + interior.share) + odds_ * interior.missing);
  const double reach = (1 + interior.share) * inverse_ * (std::abs(upper_) + odds_ * std::abs(lower_));
  units_per_t_ = 4 * reach + units.per_t;
  spread_ = std::min(spread_by_variance(moments), spread_by_end(c.head, upper_, odds_, interior));
}

Frequency TwoSidedTilt::at(double t, const std::complex<double>& kappa) const {
  std::complex<double> sum = times(turn(t * upper_), 1.0 + kappa);
  if (odds_ > 0x1p-60) sum += times(odds_ * turn(t * lower_), 1.0 - kappa);
  const double size = std::abs(kappa.real()) + std::abs(kappa.imag());
  const double units = (12 + kappa_units_ * size) * (1 + odds_) * inverse_ + constant_units_ + t * units_per_t_;
  return known(sum * inverse_, u * units);
}

double TwoSidedTilt::at_most(double upper, double lower) const {
  return std::min(1.0, (upper + odds_ * lower) * inverse_ * (1 + 256 * u) + negligible);
}

}  // namespace vernier::accounting
