#pragma once

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "vernier/accounting/loss/node_law.hpp"

namespace vernier::accounting {

// A finite law of losses that stands above a release, at every epsilon and in every composition: the loss is infinite
// with chance infinite_mass, else it is a loss with a chance proportional to its mass. (The masses sum to a little less
// than the rest, by rounding; scaling them up to it is on the safe side.)
struct LossAtoms {
  std::vector<double> losses;  // rising
  std::vector<double> masses;  // above 0; with the infinite mass their exact sum is at most 1
  double infinite_mass;
};

// A finite list of losses as a loss law: its nodes are the atoms, and nothing is missing between them. node_law.md.
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

// The masses are scaled to a sum of 1; the infinite one is kept beside the law.
class AtomsSource {
 public:
  explicit AtomsSource(LossAtoms atoms) : atoms_(std::make_shared<const LossAtoms>(std::move(atoms))) {}
  AtomsTilt tilt(double theta) const { return {atoms_, theta}; }
  double greatest() const { return atoms_->losses.back(); }

 private:
  std::shared_ptr<const LossAtoms> atoms_;
};

}  // namespace vernier::accounting
