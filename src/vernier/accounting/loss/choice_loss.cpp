#include "vernier/accounting/loss/choice_loss.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double small = 0.3;    // below it logarithms of sinh(x) / x go by their series
constexpr double smaller = 0.1;  // and likewise its derivatives

// sinh(z) / z for abs(z) <= 1: the terms left out are below 1e-18.
template <class Number>
Number sinh_quotient(const Number& z) {
  const Number y = z * z;
  Number sum = 1;
  for (int n = 9; n >= 1; --n) sum = 1.0 + y * sum / static_cast<double>(2 * n * (2 * n + 1));
  return sum;
}

struct Value {
  double value, error;
};

// ln(sinh(x) / x), x > 0 known to 2 units.
Value log_sinh_quotient(double x) {
  if (x < small) {
    const double y = x * x;
    const double value = std::log1p(y / 6 * (1 + y / 20 * (1 + y / 42 * (1 + y / 72 * (1 + y / 110 * (1 + y / 156))))));
    return {value, 24 * u * value};
  }
  return {x + std::log(-std::expm1(-2 * x) / (2 * x)), u * (4 * x + 24)};
}

// The derivatives of that: coth(x) - 1/x and 1/x^2 - 1/sinh(x)^2, within 1e-12.
struct Slopes {
  double first, second;
};
Slopes slopes_at(double x) {
  const double y = x * x;
  if (x < smaller) {
    return {x * (1.0 / 3 - y * (1.0 / 45 - y * (2.0 / 945 - y / 4725))),
            1.0 / 3 - y * (1.0 / 15 - y * (2.0 / 189 - y / 675))};
  }
  const double odds = std::exp(-2 * x), rise = -std::expm1(-2 * x);
  return {(1 + odds) / rise - 1 / x, 1 / y - 4 * odds / (rise * rise)};
}

}  // namespace

// K = ln(sinh(w e) / (2 w sinh(e/2))), w = theta + 1/2.
Cumulants ChoiceLoss::cumulants(double theta) const {
  const double x = (theta + 0.5) * epsilon_;
  const Value here = log_sinh_quotient(x), untilted = log_sinh_quotient(0.5 * epsilon_);
  const Slopes slopes = slopes_at(x);
  return {std::max(0.0, here.value - untilted.value), epsilon_ * slopes.first,
          std::max(epsilon_ * epsilon_ * slopes.second, least_variance), here.error + untilted.error + negligible};
}

ChoiceLoss::Tilted::Tilted(double epsilon, double theta) : epsilon_(epsilon), w_(theta + 0.5) {
  const double x = w_ * epsilon;
  const Slopes slopes = slopes_at(x);
  centre_ = epsilon * slopes.first;
  spread_ = epsilon * (std::sqrt(std::max(slopes.second, 0.0)) * (1 + 1e-9) + 64 * u) + negligible;
  upper_ = epsilon - centre_;
  lower_ = -epsilon - centre_;
  odds_ = std::exp(-2 * x);
  rise_ = -std::expm1(-2 * x);
  size_ = x <= 1 ? sinh_quotient(x) : 1;
}

// phi = e^(-it centre) S(w + it) / S(w) with S(w) = sinh(w e) / w. Where (w + it) e is small by its series, else as
//     (e^(it upper) - odds e^(it lower)) / (1 - odds) w / (w + it).
Frequency ChoiceLoss::Tilted::at(double t) const {
  const std::complex<double> z{w_ * epsilon_, t * epsilon_};
  if (std::abs(z) <= 1) return known(times(turn(-t * centre_), sinh_quotient(z)) / size_, 64 * u);
  const double share = w_ / std::hypot(w_, t);
  const std::complex<double> ends = turn(t * upper_) - odds_ * turn(t * lower_);
  const std::complex<double> slope = share * std::complex<double>{w_, -t} / std::hypot(w_, t);
  const double reach = share * (std::abs(upper_) + odds_ * std::abs(lower_)) / rise_;
  return known(times(ends, slope) / rise_, u * (64 + 8 * t * reach));
}

// The greatest over t of the losses t and t - epsilon: choice_loss.md, "Rényi divergences". For a small epsilon nothing
// would be left of the difference, and order * epsilon^2 / 8 is the less.
double choice_divergence(privacy::Epsilon epsilon, double order) {
  const double e = epsilon.value(), b = order - 1;
  const double concentrated = numeric::multiply_up(order, numeric::multiply_up(e, e) / 8);
  const double all = std::expm1(-order * e);
  const double shift = -std::log1p(1 / b), ratio = std::log(all / std::expm1(-b * e)),
               odds = std::log(all / (order * std::expm1(-e))) / b;
  const double error =
      u * (16 * (e + std::fabs(shift) + std::fabs(ratio) + std::fabs(odds)) + 40 * (1 + 1 / b) * (1 + order * u * e));
  const double greatest = ((e + shift) + ratio) + odds + error;
  return greatest > 0 ? std::min(concentrated, greatest) : concentrated;
}

double ChoiceLoss::Tilted::beyond(double t) const {
  return std::min(1.0, (1 + odds_) / rise_ * w_ / std::hypot(w_, t) * (1 + 64 * u) + negligible);
}

}  // namespace vernier::accounting
