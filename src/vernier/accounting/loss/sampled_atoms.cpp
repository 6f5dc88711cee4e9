#include "vernier/accounting/loss/sampled_atoms.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::DoubleDouble;
using numeric::unit_roundoff;

constexpr double unit_units = 2;  // of a whole number times the unit, relatively
constexpr double extra_units = 6;

double rough_log_ratio(double rate, double w) {
  if (w > 600) return w + std::log(rate);
  return rate == 1 ? w : std::log1p(rate * std::expm1(w));
}

double rough_log_weight(const SampledAtoms& law, const Atom& atom, double power) {
  return atom.extra - atom.falls * law.unit.hi + power * rough_log_ratio(law.rate, atom.place * law.unit.hi);
}

Atom heaviest(const SampledAtoms& law, double power) {
  Atom best = law.atoms.front();
  double most = -std::numeric_limits<double>::infinity();
  for (const Atom& atom : law.atoms) {
    const double weight = rough_log_weight(law, atom, power);
    if (weight > most) best = atom, most = weight;
  }
  return best;
}

}  // namespace

SampledAtomsTilt::SampledAtomsTilt(std::shared_ptr<const SampledAtoms> law, double theta)
    : law_(std::move(law)),
      power_(law_->direction == Direction::remove ? numeric::two_sum(1, theta) : DoubleDouble{-theta, 0}),
      first_(heaviest(*law_, power_.hi)),
      mixture_(Mixture::at(law_->rate, numeric::product(law_->unit, first_.place))) {
  const double raised = power_.hi * mixture_.value().hi, fallen = first_.falls * law_->unit.hi;
  const double error = law_->log_factor_error + std::abs(power_.hi) * mixture_.value_error() +
                       unit_roundoff * (5 * std::abs(raised) + 4 * fallen + (4 + extra_units) * std::abs(first_.extra) +
                                        4 * std::abs(law_->log_factor));
  const DoubleDouble value = mixture_.value();
  anchor_ = {{sign() * value.hi, sign() * value.lo},
             mixture_.value_error(),
             law_->log_factor + (first_.extra - fallen + raised),
             error};
}

double SampledAtomsTilt::first_reach() const { return std::numeric_limits<double>::infinity(); }

void SampledAtomsTilt::add_atom(Nodes& nodes, const Atom& atom) const {
  const double unit = law_->unit.hi, steps = atom.place - first_.place, falls = atom.falls - first_.falls;
  const Bend bend = mixture_.bend(steps * unit, unit_units);
  const double along = unit * (power_.hi * mixture_.line() * steps - falls);
  const double raised = power_.hi * bend.from_line.value, extra = atom.extra - first_.extra;
  const double size = unit * (std::abs(power_.hi * mixture_.line() * steps) + std::abs(falls));
  const double units =
      6 * size + std::abs(power_.hi) * bend.from_line.units + 4 * std::abs(raised) +
      (extra_units + 2) * (atom.extra == first_.extra ? 0 : std::abs(atom.extra) + std::abs(first_.extra));
  nodes.add({sign() * bend.change.value, bend.change.units}, {along + raised + extra, units});
}

void SampledAtomsTilt::add_outside(Nodes& nodes) const {
  const Change change = mixture_.change_to_outside();
  const double fallen = first_.falls * law_->unit.hi, log_mass = *law_->log_outside;
  const double raised = power_.hi * change.value;
  const double units = std::abs(power_.hi) * change.units + 4 * std::abs(raised) + 5 * fallen +
                       (extra_units + 2) * (std::abs(first_.extra) + std::abs(log_mass) + 1);
  nodes.add({sign() * change.value, change.units}, {log_mass - first_.extra + fallen + raised, units});
}

Nodes SampledAtomsTilt::nodes(double) const {
  Nodes result;
  result.reserve(law_->atoms.size() + 1);
  for (const Atom& atom : law_->atoms) add_atom(result, atom);
  if (law_->log_outside) add_outside(result);
  return result;
}

}  // namespace vernier::accounting
