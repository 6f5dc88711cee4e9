#pragma once

#include <optional>

#include "vernier/accounting/loss/damped_nodes.hpp"
#include "vernier/accounting/loss/node_law.hpp"
#include "vernier/accounting/loss/shifted_normal.hpp"
#include "vernier/accounting/loss/tilted_normal.hpp"

// Gaussian noise on a Poisson sample, and discrete Gaussian noise, whose law is the same trapezoidal sum with the step
// 1 / scale. In units of the scale x is normal, w = mu x - mu^2/2, and the transform of the loss is
// E[(1 - q + q e^w)^power] with power = 1 + z (remove) or -z (add). sampled_gaussian.md.
namespace vernier::accounting {

class SampledNormalTilt {
 public:
  SampledNormalTilt(const SampledNormal& law, double theta) : density_(law, theta) {}

  const Anchor& anchor() const { return density_.anchor(); }
  Nodes nodes(double reach) const;
  std::optional<DampedNodes> damped(double centre) const;
  double first_reach() const { return 4 / density_.mu(); }
  double spread(const Nodes& nodes, double centre, double log_total) const;
  Decay decay(double log_total) const;

 private:
  struct Rule {
    double step;
    bool whole;      // the step is that of the lattice: nothing is missing
    double missing;  // relative to the whole
  };
  Rule rule_for(double reach) const;
  Nodes nodes_by(const Rule& rule) const;
  void add_nodes(Nodes& nodes, const NormalRanges::Range& range, const Rule& rule) const;
  double mean_over(const NormalRanges::Range& range, double shift) const;
  double farthest() const;

  TiltedNormal density_;
};

class SampledNormalSource {
 public:
  explicit SampledNormalSource(const SampledNormal& law) : law_(law) {}
  SampledNormalTilt tilt(double theta) const { return {law_, theta}; }
  double greatest() const;

 private:
  SampledNormal law_;
};

}  // namespace vernier::accounting
