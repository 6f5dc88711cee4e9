#include "vernier/accounting/pure_loss.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/log_factorial.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

// Within u^2 relatively.
numeric::DoubleDouble exponential(double x) {
  constexpr numeric::Precision precision{160};
  const numeric::Ball value = exp(numeric::Ball::of(x, precision));
  const double head = value.nearest();
  if (!std::isfinite(head)) return {head, 0};
  return {head, (value - numeric::Ball::of(head, precision)).nearest()};
}

}  // namespace

BinomialChain::BinomialChain(double epsilon, double n)
    : n_(n),
      mode_(std::min(n, std::floor((n + 1) / (1 + std::exp(-epsilon))))),
      odds_(exponential(epsilon)),
      inverse_odds_(exponential(-epsilon)) {}

using numeric::Ball;
using numeric::DoubleDouble;
using numeric::Precision;

// Sums over the terms j with a loss above epsilon, relative to the term at the anchor.
struct BinomialLoss::Sum {
  DoubleDouble delta{0, 0};  // of term(j) (1 - e^(epsilon - loss))
  double whole = 0;          // of term(j)
  double rest = 0;           // at least what was left out of delta

  // Terms behind this one, of size `term`, fall at least by `ratio` each; are they of no account?
  bool ends(double term, double ratio) {
    const double left_out = ratio < 1 ? term * ratio / (1 - ratio) : HUGE_VAL;
    if (!(left_out <= 0x1p-60 * delta.hi)) return false;
    rest += 1.01 * left_out;
    return true;
  }
};

namespace {

constexpr double u = numeric::unit_roundoff;

// The loss epsilon (2j - n) less `at`, rounded once: 2j - n is exact.
double loss_above(double epsilon, double j, double n, double at) { return std::fma(epsilon, 2 * j - n, -at); }

// ln of C(n, j) e^(epsilon j) / (1 + e^epsilon)^n; with the ends e^-epsilon it never overflows.
Ball log_mass(double epsilon, double n, double j) {
  constexpr Precision precision{128};
  const auto integer = [](double x) { return static_cast<std::int64_t>(x); };
  const Ball e = Ball::of(epsilon, precision);
  const Ball choices = log_factorial(integer(n), precision) - log_factorial(integer(j), precision) -
                       log_factorial(integer(n - j), precision);
  return choices - Ball::of(n - j, precision) * e - Ball::of(n, precision) * log1p(exp(-e));
}

double log_mass_estimate(double epsilon, double n, double j) {
  const double choices =
      numeric::log_factorial_estimate(n) - numeric::log_factorial_estimate(j) - numeric::log_factorial_estimate(n - j);
  return choices - (n - j) * epsilon - n * std::log1p(std::exp(-epsilon));
}

}  // namespace

// The least j whose loss is above epsilon; n + 1 where none is.
double BinomialLoss::first_above(double epsilon) const {
  const double n = chain_.n();
  double j = std::clamp(std::floor((n + epsilon / epsilon_) / 2), 0.0, n);
  while (j > 0 && loss_above(epsilon_, j - 1, n, epsilon) > 0) --j;
  while (j <= n && loss_above(epsilon_, j, n, epsilon) <= 0) ++j;
  return j;
}

// From the anchor upward, then downward to the first, as far as terms count.
BinomialLoss::Sum BinomialLoss::sum_from(double first, double anchor, double epsilon) const {
  Sum sum;
  const auto add = [&](double j, double term) {
    sum.delta = numeric::sum(sum.delta, -term * std::expm1(-loss_above(epsilon_, j, chain_.n(), epsilon)));
    sum.whole += term;
  };
  add(anchor, 1);
  DoubleDouble term{1, 0};
  for (double j = anchor; j < chain_.n(); ++j) {
    const DoubleDouble ratio = chain_.up(j);
    if (sum.ends(term.hi, ratio.hi)) break;
    term = times(term, ratio);
    add(j + 1, term.hi);
  }
  term = {1, 0};
  for (double j = anchor; j > first; --j) {
    const DoubleDouble ratio = chain_.down(j);
    if (sum.ends(term.hi, ratio.hi)) break;
    term = times(term, ratio);
    add(j - 1, term.hi);
  }
  return sum;
}

LossTail BinomialLoss::tail(double epsilon) const {
  const double first = first_above(epsilon);
  if (first > chain_.n()) return {-HUGE_VAL, 0};
  const double anchor = std::max(first, chain_.mode());
  const Sum sum = sum_from(first, anchor, epsilon);
  return {log_mass_estimate(epsilon_, chain_.n(), anchor) + std::log(sum.delta.hi), sum.whole / sum.delta.hi - 1};
}

Bounds BinomialLoss::delta(double epsilon) const {
  const double first = first_above(epsilon);
  if (first > chain_.n()) return {0, 0};
  const double anchor = std::max(first, chain_.mode());
  const Sum sum = sum_from(first, anchor, epsilon);
  constexpr double error = 16 * u;
  const Precision precision{128};
  const Ball size = exp(log_mass(epsilon_, chain_.n(), anchor));
  const Bounds lower = (size * Ball::of(sum.delta.hi * (1 - error), precision)).bounds();
  const Bounds upper = (size * Ball::of((sum.delta.hi + sum.rest) * (1 + error), precision)).bounds();
  return {std::max(lower.lower, 0.0), std::min(upper.upper, 1.0)};
}

namespace {

// Masses below 1e-300 lose digits or vanish; so many of them, at most, and none by more than that.
constexpr double vanished = EnumeratedLoss::greatest_size * 1e-300;

// The probabilities of 0 ... times, each within 6u relatively: the terms relative to the greatest, over their sum.
std::vector<double> binomial_masses(const PureGroup& group) {
  const BinomialChain chain(group.epsilon, group.times);
  std::vector<double> masses(static_cast<std::size_t>(group.times) + 1);
  DoubleDouble total{0, 0};
  const auto put = [&](double j, const DoubleDouble& term) {
    masses[static_cast<std::size_t>(j)] = term.hi;
    total = sum(total, term.hi);
  };
  put(chain.mode(), {1, 0});
  DoubleDouble term{1, 0};
  for (double j = chain.mode(); j < chain.n(); ++j) put(j + 1, term = times(term, chain.up(j)));
  term = {1, 0};
  for (double j = chain.mode(); j > 0; --j) put(j - 1, term = times(term, chain.down(j)));
  for (double& mass : masses) mass /= total.hi;
  return masses;
}

}  // namespace

// Over the losses above epsilon, or nearly so.
struct EnumeratedLoss::Sum {
  DoubleDouble delta{0, 0};
  double whole = 0;
  double loss_error;  // of each of them
};

double EnumeratedLoss::size_of(std::span<const PureGroup> groups) {
  double size = 1;
  for (const PureGroup& group : groups) size *= group.times + 1;
  return size;
}

EnumeratedLoss::EnumeratedLoss(std::span<const PureGroup> groups)
    : atoms_{{{0, 0}, 1}}, sum_of_epsilons_(0), mass_error_(0) {
  for (const PureGroup& group : groups) {
    const std::vector<double> masses = binomial_masses(group);
    std::vector<Atom> next;
    next.reserve(atoms_.size() * masses.size());
    for (std::size_t j = 0; j < masses.size(); ++j) {
      const DoubleDouble loss = numeric::two_product(group.epsilon, 2 * static_cast<double>(j) - group.times);
      for (const Atom& atom : atoms_) {
        next.push_back({sum(sum(atom.loss, loss.lo), loss.hi), atom.mass * masses[j]});
      }
    }
    atoms_ = std::move(next);
    sum_of_epsilons_ += group.epsilon * group.times;
    mass_error_ += 7 * u;
  }
}

EnumeratedLoss::Sum EnumeratedLoss::sum_above(double epsilon) const {
  Sum result{.loss_error = 128 * u * u * (sum_of_epsilons_ + epsilon)};
  for (const Atom& atom : atoms_) {
    const DoubleDouble above = sum(atom.loss, -epsilon);
    if (above.hi < -2 * result.loss_error) continue;
    result.whole += atom.mass;
    if (above.hi > 0) result.delta = sum(result.delta, -atom.mass * std::expm1(-above.hi));
  }
  return result;
}

LossTail EnumeratedLoss::tail(double epsilon) const {
  const Sum sum = sum_above(epsilon);
  return {std::log(sum.delta.hi), sum.whole / sum.delta.hi - 1};
}

// A loss that is off moves (1 - e^(epsilon - L))+ by no more than that, whichever side of epsilon it falls to.
Bounds EnumeratedLoss::delta(double epsilon) const {
  if (epsilon >= sum_of_epsilons_ * (1 + 32 * u)) return {0, 0};
  const Sum sum = sum_above(epsilon);
  const double error = (mass_error_ + 10 * u) * sum.delta.hi + 1.01 * sum.loss_error * sum.whole;
  return {std::max(sum.delta.hi - error - vanished, 0.0), std::min((sum.delta.hi + error + vanished) * (1 + u), 1.0)};
}

}  // namespace vernier::accounting
