#pragma once

#include <span>
#include <vector>

// James-Stein shrinkage of numbers that carry noise of one known variance, the factor never below 0: denoise.md.
namespace vernier::denoise {

struct Shrunk {
  std::vector<double> values;
  double risk;  // estimated, per number, over the variance of the noise
};

// At least three numbers for zero, four for the mean; the variance is positive.
Shrunk shrunk_to_zero(std::span<const double> numbers, double variance);
Shrunk shrunk_to_mean(std::span<const double> numbers, double variance);

}  // namespace vernier::denoise
