#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <variant>

#include "vernier/noise/integer_sampler.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/release/integers.hpp"

namespace vernier::release {

// a + b, or the end of 64 bits beyond which it lies.
inline std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

// Adds noise of the law of a plan.
class Sampler {
 public:
  explicit Sampler(const plan::Law& law)
      : sampler_(std::visit([](const auto& one) { return Any(noise::IntegerSampler(one)); }, law)) {}

  // Every number with noise of its own.
  template <class Stream>
  Result<Integers> perturb(std::span<const std::int64_t> exact, random::BasicSource<Stream>& source) const {
    Integers noisy(exact.size());
    const std::span<std::int64_t> out = noisy.all();
    const Result<void> filled = std::visit([&](const auto& one) { return one.fill(source, out); }, sampler_);
    if (!filled) return Failure(filled.error());
    std::transform(exact.begin(), exact.end(), out.begin(), out.begin(), saturated_sum);
    return noisy;
  }

 private:
  using Any = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
  Any sampler_;
};

}  // namespace vernier::release
