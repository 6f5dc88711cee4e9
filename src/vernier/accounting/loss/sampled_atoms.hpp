#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/mixture.hpp"
#include "vernier/accounting/loss/node_law.hpp"
#include "vernier/numeric/double_double.hpp"

// Releases with finitely many log ratios, on a Poisson sample: randomised response (the worst release with a pure or an
// approximate guarantee) and geometric noise. sampled_atoms.md.
namespace vernier::accounting {

// Log ratio w = place * unit, with the mass e^(extra - falls * unit), where Q sees it; place and falls are whole.
struct Atom {
  double place;
  double falls;
  double extra;
};

struct SampledAtoms {
  double rate;
  Direction direction;
  numeric::DoubleDouble unit;
  std::vector<Atom> atoms = {};
  std::optional<double> log_outside = std::nullopt;  // ln of the mass at w = -infinity, in the same measure
  double log_factor = 0;                             // ln of what all masses are multiplied by, and its error
  double log_factor_error = 0;
  double greatest = 0;
};

class SampledAtomsTilt {
 public:
  SampledAtomsTilt(std::shared_ptr<const SampledAtoms> law, double theta);

  const Anchor& anchor() const { return anchor_; }
  Nodes nodes(double reach) const;
  double first_reach() const;
  double spread(const Nodes& nodes, double, double) const { return nodes.absolute_mean(); }
  Decay decay(double) const { return {1, 0}; }

 private:
  double sign() const { return law_->direction == Direction::remove ? 1 : -1; }
  void add_atom(Nodes& nodes, const Atom& atom) const;
  void add_outside(Nodes& nodes) const;

  std::shared_ptr<const SampledAtoms> law_;
  numeric::DoubleDouble power_;
  Atom first_{};  // the one with the greatest tilted weight, or about so
  Mixture mixture_;
  Anchor anchor_{};
};

class SampledAtomsSource {
 public:
  explicit SampledAtomsSource(SampledAtoms law) : law_(std::make_shared<const SampledAtoms>(std::move(law))) {}
  SampledAtomsTilt tilt(double theta) const { return {law_, theta}; }
  double greatest() const { return law_->greatest; }

 private:
  std::shared_ptr<const SampledAtoms> law_;
};

}  // namespace vernier::accounting
