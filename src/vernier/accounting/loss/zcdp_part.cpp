#include "vernier/accounting/loss/zcdp_part.hpp"

#include <algorithm>

#include "vernier/accounting/loss/atoms_law.hpp"
#include "vernier/accounting/loss/zcdp_law.hpp"

namespace vernier::accounting {

LossPart zcdp_part(double rho, double least_delta) {
  LossAtoms atoms = zcdp_law(rho, std::max(least_delta, 1e-300));
  const double infinite = atoms.infinite_mass;
  return {LossLaw(NodeLaw(AtomsSource(std::move(atoms)))), 1, {infinite, infinite}};
}

}  // namespace vernier::accounting
