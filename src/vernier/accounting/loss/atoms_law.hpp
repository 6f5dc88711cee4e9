#pragma once

#include <limits>
#include <memory>
#include <utility>

#include "vernier/accounting/loss/loss_atoms.hpp"
#include "vernier/accounting/loss/node_law.hpp"

// A finite list of losses as a loss law: its nodes are the atoms, and nothing is missing between them. node_law.md.
namespace vernier::accounting {

class AtomsTilt {
 public:
  AtomsTilt(std::shared_ptr<const LossAtoms> atoms, double theta);

  const Anchor& anchor() const { return anchor_; }
  Nodes nodes(double reach) const;
  double first_reach() const { return std::numeric_limits<double>::infinity(); }
  double spread(const Nodes& nodes, double, double) const { return nodes.absolute_mean(); }
  Decay decay(double) const { return {1, 0}; }

 private:
  std::shared_ptr<const LossAtoms> atoms_;
  double theta_;
  double first_loss_;  // of the atom with the greatest tilted mass
  double first_mass_;
  Anchor anchor_{};
};

// The masses count as they are; the infinite one is kept beside the law.
class AtomsSource {
 public:
  explicit AtomsSource(LossAtoms atoms) : atoms_(std::make_shared<const LossAtoms>(std::move(atoms))) {}
  AtomsTilt tilt(double theta) const { return {atoms_, theta}; }
  double greatest() const { return atoms_->losses.back(); }

 private:
  std::shared_ptr<const LossAtoms> atoms_;
};

}  // namespace vernier::accounting
