#pragma once

#include <cstddef>
#include <cstdint>
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

// The same of counts, told as 0 where they are below: values from 0 on, and the risk against that of max(y, 0), by
// which it differs (negative: nearer). Stein's identity for both, of which the parts at 0 cancel but for what is
// shrunk.
Shrunk cut_to_zero(std::span<const double> numbers, double variance);
Shrunk cut_to_mean(std::span<const double> numbers, double variance);

// Those above 0 towards the least of them, where there are four at least; others are 0. For Gaussian noise and exact
// numbers from 0 on nearer than max(y, 0) on average, whatever these are: denoise.md, "Counts".
Shrunk cut_to_least(std::span<const double> numbers, double variance);

// ---- soft thresholding of whole numbers that carry noise of one law

// Which numbers are moved by a threshold: large ones of both signs towards 0, or those of counts, none below 0.
enum class Side : std::uint8_t { both, above };

// Each number moved by the threshold towards 0, and those nearer than that to 0; of counts max(y - threshold, 0).
std::vector<double> soft_thresholded(std::span<const double> numbers, double threshold, Side side = Side::both);

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
  ThresholdRisk(std::span<const double> numbers, const Law& law,  // whole numbers, one at least
                Side side = Side::both);

  double at(double threshold) const;  // threshold >= 0
  Threshold least() const;            // of 0, of each size and the next whole number, and of one beyond them all

 private:
  std::vector<double> at_whole(const std::vector<double>& thresholds) const;  // ascending
  std::vector<double> candidates() const;
  Law law_;
  double variance_;
  Side side_;
  std::vector<double> sizes_;  // ascending; of one side the numbers themselves
};

// ---- numbers below 0 told as 0

// The risk of max(y, 0) that a column shows, per number and over the variance, by the same identities.
double risk_from_zero(std::span<const double> numbers, const noise::Geometric& law);
double risk_from_zero(std::span<const double> numbers, const noise::DiscreteGaussian& law);

extern template class ThresholdRisk<noise::Geometric>;
extern template class ThresholdRisk<noise::DiscreteGaussian>;

}  // namespace vernier::denoise
