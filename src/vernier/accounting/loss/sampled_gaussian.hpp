#pragma once

#include <optional>
#include <vector>

#include "vernier/accounting/loss/logistic_peaks.hpp"
#include "vernier/accounting/loss/loss_part.hpp"
#include "vernier/accounting/loss/mixture.hpp"
#include "vernier/accounting/loss/node_law.hpp"
#include "vernier/accounting/loss/trapezoid.hpp"
#include "vernier/numeric/double_double.hpp"

// Gaussian noise on a Poisson sample, and discrete Gaussian noise, whose law is the same trapezoidal sum with the step
// 1 / scale. In units of the scale x is normal, w = mu x - mu^2/2, and the transform of the loss is
// E[(1 - q + q e^w)^power] with power = 1 + z (remove) or -z (add). sampled_gaussian.md.
namespace vernier::accounting {

struct SampledNormal {
  double rate;
  numeric::DoubleDouble mu;  // sensitivity / scale
  Direction direction;
  std::optional<double> lattice;  // the scale, where the noise is whole
  double log_total = 0;           // of the lattice: ln sum_k e^(-k^2 / (2 scale^2)), and its error
  double log_total_error = 0;
};

class SampledNormalTilt {
 public:
  SampledNormalTilt(const SampledNormal& law, double theta);

  const Anchor& anchor() const { return anchor_; }
  Nodes nodes(double reach) const;
  double first_reach() const { return 4 / law_.mu.hi; }
  double spread(const Nodes& nodes, double centre, double log_total) const;
  Decay decay(double log_total) const;

 private:
  struct Rule {
    double step;
    bool whole;      // the step is that of the lattice: nothing is missing
    double missing;  // relative to the whole
  };
  struct Range {  // of distances from the anchor
    double first;
    double last;
  };
  struct Ranges {
    std::vector<Range> kept;
    double left_out = 0;  // of the integral over the rest, in units of the density at the anchor
    double most = 0;      // of the density outside, likewise
  };

  double sign() const { return law_.direction == Direction::remove ? 1 : -1; }
  Rule rule_for(double reach) const;
  Nodes nodes_by(const Rule& rule) const;
  double mean_over(const Range& range, double shift) const;
  void add_node(Nodes& nodes, double distance, double distance_units) const;
  double rough_log_density(double distance) const;
  double chord_bound(double first, double last) const;
  Ranges ranges() const;
  Ranges ranges_of_two_bulks() const;
  Ranges range_of_one_bulk() const;
  void split(Range range, Ranges& result) const;
  double reach_down(double direction) const;

  SampledNormal law_;
  numeric::DoubleDouble power_;
  double peak_ = 0;  // about where the tilted density is greatest
  double peak_slope_ = 0;
  numeric::DoubleDouble place_{};  // of the anchor
  Mixture mixture_;
  double steepness_ = 0;  // slope of the log density along the mixture's line, at the anchor
  double log_density_ = 0;
  double log_density_error_ = 0;
  Anchor anchor_{};
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
