#pragma once

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/mixture.hpp"
#include "vernier/accounting/loss/node_law.hpp"
#include "vernier/numeric/double_double.hpp"

// Laplace noise on a Poisson sample. With c = sensitivity / scale the log ratio w of the noise has the mass 1/2 at -c,
// e^-c / 2 at c and the density e^(-(c + w)/2) / 4 between, and the transform of the loss is E[(1 - q + q e^w)^power]
// with power = 1 + z (remove) or -z (add). sampled_laplace.md.
namespace vernier::accounting {

struct SampledLaplace {
  double rate;
  numeric::DoubleDouble end;  // c
  Direction direction;
};

class SampledLaplaceTilt {
 public:
  SampledLaplaceTilt(const SampledLaplace& law, double theta);

  const Anchor& anchor() const { return anchor_; }
  Nodes nodes(double reach) const;
  double first_reach() const { return 8 / law_.end.hi; }
  double spread(const Nodes& nodes, double centre, double reach) const;
  Decay decay(double log_total) const;

 private:
  struct Panel {  // of distances from the anchor, inward
    double first;
    double last;
  };
  double sign() const { return law_.direction == Direction::remove ? 1 : -1; }
  Change log_weight(double distance, const Bend& bend) const;  // of the density's exponential, of the atom
  double rough_log_weight(double distance) const;
  double greatest_argument(double right, double high) const;
  double log_error(const Panel& panel, double reach) const;
  double log_error(const Panel& panel, double reach, double ellipse) const;
  void add_panel(Nodes& nodes, const Panel& panel) const;
  void add(Nodes& nodes, const Panel& panel, double reach, double& missing) const;

  SampledLaplace law_;
  numeric::DoubleDouble power_;
  double inward_ = 1;  // 1 where the anchor is the atom at -c, -1 where it is the one at c
  Mixture mixture_;
  Anchor anchor_{};
};

class SampledLaplaceSource {
 public:
  explicit SampledLaplaceSource(const SampledLaplace& law) : law_(law) {}
  SampledLaplaceTilt tilt(double theta) const { return {law_, theta}; }
  double greatest() const;

 private:
  SampledLaplace law_;
};

}  // namespace vernier::accounting
