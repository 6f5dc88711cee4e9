#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/mixture.hpp"
#include "vernier/accounting/loss/nodes.hpp"
#include "vernier/accounting/loss/normal_terms.hpp"
#include "vernier/numeric/double_double.hpp"

namespace vernier::accounting {

// Where the log density -x^2/2 + shift x + power R(mu x - mu^2/2) may have its peaks, R(w) = ln(1 - q + q e^w). Its
// slope shift - x + power mu p(x), p the logistic share, is 0 at most three times: a logistic meets a line so often.
// So there are at most two peaks, each enclosed in a narrow bracket on which the log density is concave.
class LogisticPeaks {
 public:
  struct Bracket {
    double left;
    double right;
  };

  LogisticPeaks(double rate, double mu, double power, double shift);

  double slope(double x) const;
  const Bracket* begin() const { return peaks_.data(); }
  const Bracket* end() const { return peaks_.data() + count_; }

 private:
  double share(double x) const;
  void add_peak_between(double left, double right);  // slope(left) >= 0 >= slope(right), falling

  double mu_;
  double power_;
  double shift_;
  double log_odds_;  // of the share at x = 0
  std::array<Bracket, 2> peaks_{};
  std::size_t count_ = 0;
};

// Gaussian or discrete Gaussian noise on a Poisson sample, in one direction.
struct SampledNormal {
  double rate;
  numeric::DoubleDouble mu;  // sensitivity / scale
  Direction direction;
  std::optional<double> lattice;  // the scale, where the noise is whole
  double log_total = 0;           // of the lattice: ln sum_k e^(-k^2 / (2 scale^2)), and its error
  double log_total_error = 0;
};

// The tilted density e^(-x^2/2 + power R(mu x - mu^2/2)), R(w) = ln(1 - q + q e^w), power = 1 + theta (remove) or
// -theta (add), seen from an anchor at or near its peak. Log densities are less the anchor's. sampled_gaussian.md.
class TiltedNormal {
 public:
  TiltedNormal(const SampledNormal& law, double theta);

  const SampledNormal& law() const { return law_; }
  const Anchor& anchor() const { return anchor_; }
  const Mixture& mixture() const { return mixture_; }
  double sign() const { return law_.direction == Direction::remove ? 1 : -1; }  // of the loss, against R
  double mu() const { return law_.mu.hi; }
  double power() const { return power_.hi; }
  double place() const { return place_.hi; }         // of the anchor
  double peak() const { return peak_; }              // about where the density is greatest
  double peak_slope() const { return peak_slope_; }  // of the log density there
  double steepness() const { return steepness_; }    // slope of the log density along the mixture's line, at the anchor

  struct Term {
    Change change;  // of R, from the anchor
    Change log_density;
    double density;  // where the log density is above -700
  };
  Term term(double distance, double distance_units) const;
  // Visits the terms at distance(first), distance(first + 1), ..., distance(last), known to so many units relatively.
  template <class Distance, class Visit>
  void for_each_term(double first, double last, double distance_units, const Distance& distance,
                     const Visit& visit) const;

  double rough_log_density(double distance) const;
  double chord_bound(double first, double last) const;  // of the log density between, for powers >= 0

 private:
  TiltedNormal(const SampledNormal& law, const numeric::DoubleDouble& power, const LogisticPeaks& peaks);
  NormalTermParameters term_parameters(double distance_units) const;

  SampledNormal law_;
  numeric::DoubleDouble power_;
  double peak_;
  double peak_slope_;
  numeric::DoubleDouble place_;
  Mixture mixture_;
  double steepness_ = 0;
  Anchor anchor_{};
};

// Blocks of them at once where their moves allow it, one by one elsewhere.
template <class Distance, class Visit>
void TiltedNormal::for_each_term(double first, double last, double distance_units, const Distance& distance,
                                 const Visit& visit) const {
  const bool quick = law_.mu.hi * std::max(std::abs(distance(first)), std::abs(distance(last))) < 590;
  const NormalTermParameters parameters = term_parameters(distance_units);
  NormalTerms terms;
  for (double j = first; j <= last;) {
    if (!quick) {
      visit(distance(j), term(distance(j), distance_units));
      ++j;
      continue;
    }
    std::size_t count = 0;
    for (; count < NormalTerms::size && j <= last; ++count, ++j) terms.distance[count] = distance(j);
    fill(terms, count, parameters);
    for (std::size_t i = 0; i < count; ++i) {
      visit(terms.distance[i],
            Term{{terms.change[i], terms.change_units[i]}, {terms.log_weight[i], terms.log_units[i]}, terms.weight[i]});
    }
  }
}

}  // namespace vernier::accounting
