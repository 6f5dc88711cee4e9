#include "vernier/noise/gaussian_sum.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "vernier/noise/certified.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::Precision;

namespace {

Ball half(const Ball& a) { return times_power_of_two(a, -1); }
Ball twice(const Ball& a) { return times_power_of_two(a, 1); }
Ball square(const Ball& a) { return power(a, 2); }

// less(a, b) == true, at once where the centres rule it out: loops ask it after each term.
bool certainly_less(const Ball& a, const Ball& b) {
  return arf_cmp(arb_midref(a.raw()), arb_midref(b.raw())) < 0 && less(a, b) == true;
}

// Sum over k >= 1 of k^(2 moment) q^(k^2) for 0 < q <= exp(-1/2), moment 0 or 1, given log q.
// The rest from n >= 2 on is below twice its first term: the ratio of neighbours is at most (9/4) exp(-5/2) < 1/5
// there.
Ball theta_sum(const Ball& log_q, unsigned long moment) {
  const Precision precision = log_q.precision();
  const double bits_of_q = log_q.bounds().upper / -std::numbers::ln2;  // sets the number of terms, not their truth
  const auto term = [&](int k) {
    const Ball k_squared = Ball::of(k * k, precision);
    return power(k_squared, moment) * exp(log_q * k_squared);
  };
  Ball sum = term(1);
  int n = 2;
  for (; (n * n - 1) * bits_of_q < static_cast<double>(precision.bits); ++n) sum = sum + term(n);
  return widened(sum, twice(term(n)));
}

// log q of the sum over x: q = exp(-1 / (2 s^2)).
Ball log_weight_of_one(double s, Precision precision) {
  return Ball::of(-1, precision) / twice(square(Ball::of(s, precision)));
}

// log q of the dual sum: q = exp(-2 pi^2 s^2).
Ball log_dual_weight(double s, Precision precision) {
  return -twice(square(Ball::pi(precision) * Ball::of(s, precision)));
}

// 1 + 2 sum over k >= 1 of q^(k^2)
Ball theta(const Ball& log_q) { return Ball::of(1, log_q.precision()) + twice(theta_sum(log_q, 0)); }

// c_j = -2 (-1)^j eta(2j + 2) / (2 pi)^(2j + 2), and eta(n) = (1 - 2^(1-n)) zeta(n).
Ball midpoint_coefficient(unsigned long j, Precision precision) {
  const Ball one = Ball::of(1, precision);
  const Ball eta = (one - times_power_of_two(one, -static_cast<long>(2 * j + 1))) * Ball::zeta(2 * j + 2, precision);
  const Ball size = twice(eta) / power(twice(Ball::pi(precision)), 2 * j + 2);
  return j % 2 == 0 ? -size : size;
}

// Each takes 2 microseconds, so those that figures need are kept.
std::vector<Ball> coefficients_of_figures() {
  std::vector<Ball> kept;
  for (unsigned long j = 0; j < 32; ++j) kept.push_back(midpoint_coefficient(j, guarded(figure_precision)));
  return kept;
}

Ball coefficient(unsigned long j, Precision precision) {
  static const std::vector<Ball> kept = coefficients_of_figures();
  const bool is_kept = j < kept.size() && precision.bits == guarded(figure_precision).bits;
  return is_kept ? kept[j] : midpoint_coefficient(j, precision);
}

// The expansion around c = m + 1/2, in units of exp(-z^2 / 2): z = c / s, h = 1 / s, v = h (z - iN).
struct Expansion {
  Precision precision;
  Ball s, h, z, two_pi;

  Expansion(double scale, std::int64_t m, Precision fine)
      : precision(fine),
        s(Ball::of(scale, fine)),
        h(Ball::of(1, fine) / s),
        z((Ball::of(m, fine) + Ball::of(0.5, fine)) / s),
        two_pi(twice(Ball::pi(fine))) {}

  // exp(-z^2 / 2) M(z) / h, the integral of the weight from c on; M is the Mills ratio.
  Ball integral() const { return s * numeric::normal_tail_integral(z); }

  // h (z^2 + b)^(1/2): its powers bound the moments of abs(v).
  Ball size(unsigned long b) const { return h * sqrt(square(z) + Ball::of(static_cast<std::int64_t>(b), precision)); }

  // The remainder after p >= 1 terms from abs(N) <= pi s.
  Ball inner_remainder(unsigned long p) const {
    const Ball bound = size(2 * p + 1);
    return Ball::of(0.075, precision) * bound * power(bound / two_pi, 2 * p);
  }

  // The remainder from abs(N) > pi s.
  Ball outer_remainder(unsigned long p) const {
    const Ball root = exp(-square(Ball::pi(precision) * half(s)));  // exp(-pi^2 s^2 / 4)
    Ball polynomial = Ball::of(0, precision);
    for (unsigned long j = 0; j < p; ++j) {
      polynomial = polynomial + twice(power(size(4 * j + 1) / two_pi, 2 * j + 1)) / two_pi;
    }
    return twice(s / z) * square(root) + polynomial * root;
  }
};

// h^n He_n(z) for n = 1, 3, 5, ..., one after the other: He_(n+1) = z He_n - n He_(n-1).
class ScaledHermite {
 public:
  ScaledHermite(const Ball& h, const Ball& z) : h_squared_(square(h)), hz_(h * z), before_(one()), value_(hz_) {}
  const Ball& value() const { return value_; }
  void advance() {
    step();
    step();
  }

 private:
  Ball one() const { return Ball::of(1, hz_.precision()); }
  void step() {
    Ball next = hz_ * value_ - Ball::of(n_, hz_.precision()) * h_squared_ * before_;
    before_ = std::exchange(value_, std::move(next));
    ++n_;
  }
  Ball h_squared_, hz_, before_, value_;
  int n_ = 1;
};

// Remainders are bounds: a few of their digits do.
constexpr Precision remainder_precision{64};

// About how many terms the sum from m + 1 on takes: the i-th is exp(-i (2k + i) / (2 s^2)) of the first, k = m + 1.
double terms_needed(double s, std::int64_t m, Precision precision) {
  const double k = static_cast<double>(m) + 1;
  const double reach = 2 * static_cast<double>(precision.bits) * std::numbers::ln2 * s * s;
  return reach / (k + std::sqrt(k * k + reach));
}

// Below this the part from abs(N) > pi s, about exp(-pi^2 s^2 / 4), is too large for the precision.
bool expansion_is_promising(const Expansion& at, Precision precision) {
  const double s = at.s.bounds().lower;
  const double wanted = static_cast<double>(precision.bits) * std::numbers::ln2;
  return s >= 8 && at.z.bounds().upper <= s && std::numbers::pi * std::numbers::pi * s * s / 4 > wanted;
}

}  // namespace

Ball gaussian_weight(double s, const Ball& x) { return exp(-half(square(x / Ball::of(s, x.precision())))); }

// Jacobi: the sum is s sqrt(2 pi) theta(exp(-2 pi^2 s^2)).
Ball gaussian_total(double s, Precision precision) {
  const Precision fine = guarded(precision);
  if (s < 1) return rounded_to(theta(log_weight_of_one(s, fine)), precision);
  const Ball whole = Ball::of(s, fine) * sqrt(twice(Ball::pi(fine)));
  return rounded_to(whole * theta(log_dual_weight(s, fine)), precision);
}

// From s = 1 on: s^2 (1 - 8 pi^2 s^2 sum k^2 q^(k^2) / theta), the derivative of the logarithm of the total.
Ball gaussian_second_moment(double s, Precision precision) {
  const Precision fine = guarded(precision);
  const Ball log_q = s < 1 ? log_weight_of_one(s, fine) : log_dual_weight(s, fine);
  const Ball mean = twice(theta_sum(log_q, 1)) / theta(log_q);
  if (s < 1) return rounded_to(mean, precision);
  return rounded_to(square(Ball::of(s, fine)) * (Ball::of(1, fine) + twice(log_q) * mean), precision);
}

std::optional<Ball> upper_sum_by_expansion(double s, std::int64_t m, Precision precision) {
  const Expansion at(s, m, guarded(precision));
  if (!expansion_is_promising(at, precision)) return std::nullopt;
  const Expansion rough(s, m, remainder_precision);
  const Ball integral = at.integral();
  const Ball factor = exp(-half(square(at.z)));
  const Ball allowed = times_power_of_two(integral / factor, -precision.bits);
  ScaledHermite hermite(at.h, at.z);
  Ball series = coefficient(0, at.precision) * hermite.value();
  unsigned long p = 1;
  Ball remainder = rough.inner_remainder(p);
  while (!certainly_less(remainder, allowed)) {
    hermite.advance();
    series = series + coefficient(p, at.precision) * hermite.value();
    const Ball next = rough.inner_remainder(++p);
    if (!certainly_less(next, remainder)) return std::nullopt;  // the asymptotic series has reached its best
    remainder = next;
  }
  const Ball outer = rough.outer_remainder(p);
  if (!certainly_less(outer, allowed)) return std::nullopt;
  return rounded_to(integral + factor * widened(series, remainder + outer), precision);
}

// The first weight times (1 + r1 + r1 r2 + ...), r the ratios of neighbours. They fall, so a geometric series bounds
// the rest; and the bracket is at least 1, so the loop ends even where the first weight is too small to be known well.
Ball upper_sum_by_terms(double s, std::int64_t m, Precision precision) {
  const Precision fine = guarded(precision);
  const Ball one = Ball::of(1, fine);
  const Ball first = Ball::of(m, fine) + one;
  const Ball log_weight = log_weight_of_one(s, fine);
  const Ball ratio_step = exp(twice(log_weight));
  const Ball allowed = times_power_of_two(one, -precision.bits);
  Ball ratio = exp(log_weight * (twice(first) + one));
  Ball term = one;
  Ball bracket = one;
  for (;;) {
    term = term * ratio;
    ratio = ratio * ratio_step;
    const Ball rest = term / (one - ratio);
    if (certainly_less(rest, allowed)) {
      return rounded_to(gaussian_weight(s, first) * widened(bracket, rest), precision);
    }
    bracket = bracket + term;
  }
}

// At 128 bits so many terms take as long as the expansion: 50 microseconds.
Ball gaussian_upper_sum(double s, std::int64_t m, Precision precision) {
  constexpr double few_terms = 120;
  if (terms_needed(s, m, precision) < few_terms) return upper_sum_by_terms(s, m, precision);
  const std::optional<Ball> expanded = upper_sum_by_expansion(s, m, precision);
  return expanded ? *expanded : upper_sum_by_terms(s, m, precision);
}

}  // namespace vernier::noise
