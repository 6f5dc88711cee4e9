#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace vernier::test {

// Parameters for identity tests: the same ones in every run, spread over a whole domain rather than near a default.
class Parameters {
 public:
  explicit Parameters(std::uint64_t seed) : bits_(seed) {}

  double uniform(double first, double last) { return std::uniform_real_distribution<double>(first, last)(bits_); }

  // Every power of ten is as likely as any other.
  double log_uniform(double first, double last) {
    const double value = std::exp(uniform(std::log(first), std::log(last)));
    return value < first ? first : value > last ? last : value;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace vernier::test
