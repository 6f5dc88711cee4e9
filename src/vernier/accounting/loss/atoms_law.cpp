#include "vernier/accounting/loss/atoms_law.hpp"

#include <cmath>

#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting {
namespace {

using numeric::unit_roundoff;

constexpr double log_units = numeric::library_units;

std::size_t heaviest(const LossAtoms& atoms, double theta) {
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < atoms.losses.size(); ++i) {
    const double log_weight = std::log(atoms.masses[i]) + theta * atoms.losses[i];
    if (log_weight > most) best = i, most = log_weight;
  }
  return best;
}

}  // namespace

AtomsTilt::AtomsTilt(std::shared_ptr<const LossAtoms> atoms, double theta) : atoms_(std::move(atoms)), theta_(theta) {
  const std::size_t first = heaviest(*atoms_, theta);
  first_loss_ = atoms_->losses[first];
  first_mass_ = atoms_->masses[first];
  const double log_mass = std::log(first_mass_), raised = theta * first_loss_;
  const double finite = std::log1p(-atoms_->infinite_mass);
  const double error = unit_roundoff * (log_units * (std::fabs(log_mass) + std::fabs(finite)) + 3 * std::fabs(raised) +
                                        2 * (std::fabs(log_mass) + std::fabs(finite)));
  anchor_ = {{first_loss_, 0}, 0, (log_mass - finite) + raised, error};
}

// Each weight is (mass / mass of the first) e^(theta (loss - loss of the first)): no cancellation but in the difference
// of two given losses, which is rounded once.
Nodes AtomsTilt::nodes(double) const {
  Nodes nodes;
  nodes.reserve(atoms_->losses.size());
  for (std::size_t i = 0; i < atoms_->losses.size(); ++i) {
    const double offset = atoms_->losses[i] - first_loss_;
    const double ratio = std::log(atoms_->masses[i] / first_mass_), raised = theta_ * offset;
    const double units = (log_units + 1) * std::fabs(ratio) + 1 + 3 * std::fabs(raised);
    nodes.add({offset, std::fabs(offset)}, {ratio + raised, units});
  }
  return nodes;
}

}  // namespace vernier::accounting
