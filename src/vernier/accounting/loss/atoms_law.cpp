#include "vernier/accounting/loss/atoms_law.hpp"

#include <cmath>
#include <numeric>

#include "vernier/numeric/rounding.hpp"

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
  const double total = std::accumulate(atoms_->masses.begin(), atoms_->masses.end(), 0.0);
  const double log_total = std::log(total), count = static_cast<double>(atoms_->masses.size());
  const double error =
      unit_roundoff * ((log_units + 2) * (std::fabs(log_mass) + std::fabs(log_total)) + count + 3 * std::fabs(raised));
  anchor_ = {{first_loss_, 0}, 0, (log_mass - log_total) + raised, error};
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
