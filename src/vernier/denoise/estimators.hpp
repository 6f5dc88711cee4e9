#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// What a column of noisy numbers is estimated by: denoise.md.
namespace vernier::denoise {

// ---- James-Stein shrinkage of numbers that carry noise of one known variance, the factor never below 0

struct Shrunk {
  std::vector<double> values;
  double risk;  // estimated, per number, over the variance of the noise
};

// At least three numbers for zero, four for the mean; the variance is positive.
Shrunk shrunk_to_zero(std::span<const double> numbers, double variance);
Shrunk shrunk_to_mean(std::span<const double> numbers, double variance);

// ---- soft thresholding of whole numbers that carry noise of one law

// Each number moved by the threshold towards 0, and those nearer than that to 0.
std::vector<double> soft_thresholded(std::span<const double> numbers, double threshold);

// The paper's: sigma sqrt(2 ln d), sigma the standard deviation of the noise.
double universal_threshold(std::size_t numbers, double variance);

struct Threshold {
  double at;
  double risk;  // estimated, per number, over the variance of the noise
};

// The risk that a column shows of its thresholds, without bias: by Stein's identity for the discrete Gaussian law, by
// the geometric law's own for that. Law is Geometric or DiscreteGaussian.
template <class Law>
class ThresholdRisk {
 public:
  ThresholdRisk(std::span<const double> numbers, const Law& law);  // whole numbers, one at least

  double at(double threshold) const;  // threshold >= 0
  Threshold least() const;            // of 0, of each size and the next whole number, and of one beyond them all

 private:
  std::vector<double> at_whole(const std::vector<double>& thresholds) const;  // ascending
  std::vector<double> candidates() const;
  Law law_;
  double variance_;
  std::vector<double> sizes_;  // ascending
};

// ---- numbers below 0 told as 0

// The risk of max(y, 0) that a column shows, per number and over the variance, by the same identities.
double risk_from_zero(std::span<const double> numbers, const noise::Geometric& law);
double risk_from_zero(std::span<const double> numbers, const noise::DiscreteGaussian& law);

extern template class ThresholdRisk<noise::Geometric>;
extern template class ThresholdRisk<noise::DiscreteGaussian>;

}  // namespace vernier::denoise
