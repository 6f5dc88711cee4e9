#include "vernier/accounting/enumerated_loss.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accounting/binomial_chain.hpp"
#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting {
namespace {

using numeric::DoubleDouble;

constexpr double u = numeric::unit_roundoff;
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

struct EnumeratedLoss::Sum {
  DoubleDouble delta{0, 0};
  double whole = 0;
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
  Sum result;
  for (const Atom& atom : atoms_) {
    const DoubleDouble above = sum(atom.loss, -epsilon);
    if (above.hi <= 0) continue;
    result.delta = sum(result.delta, -atom.mass * std::expm1(-above.hi));
    result.whole += atom.mass;
  }
  return result;
}

LossTail EnumeratedLoss::tail(double epsilon) const {
  const Sum sum = sum_above(epsilon);
  return {std::log(sum.delta.hi), sum.whole / sum.delta.hi - 1};
}

// The losses are off by less than 128 u^2 of their sum, which moves (1 - e^(epsilon - L))+ by no more, whichever side
// of epsilon it falls to.
Bounds EnumeratedLoss::delta(double epsilon) const {
  if (epsilon >= sum_of_epsilons_ * (1 + 32 * u)) return {0, 0};
  const Sum sum = sum_above(epsilon);
  const double error = (mass_error_ + 10 * u) * sum.delta.hi + 128 * u * u * (sum_of_epsilons_ + epsilon);
  return {std::max(sum.delta.hi - error - vanished, 0.0), std::min((sum.delta.hi + error + vanished) * (1 + u), 1.0)};
}

}  // namespace vernier::accounting
