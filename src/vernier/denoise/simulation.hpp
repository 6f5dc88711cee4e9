#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <vector>

#include "vernier/denoise/denoise.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"

// How large the errors of denoised columns are, by simulation with the samplers that ship.
namespace vernier::denoise {

// The mean of squared errors over columns, each divided by the number of its numbers and by the variance of the noise:
// raw numbers have 1.
class ErrorMean {
 public:
  void add(double error);
  double mean() const { return mean_; }
  double standard_error() const;  // of the mean; columns are independent
  std::int64_t columns() const { return count_; }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0;  // Welford's
};

// What columns are denoised with: a method, or the choice of least risk.
struct Contender {
  std::function<Denoised(std::span<const std::int64_t>)> denoise;
  ErrorMean error;
  ErrorMean above_raw;  // its error less that of the raw numbers of the same columns
};

template <class Law>
Contender contender(Method method, const Law& law) {
  return {[=](std::span<const std::int64_t> released) { return denoised_by(method, released, law); }, {}, {}};
}
template <class Law>
Contender contender(Choice choice, const Law& law) {
  return {[=](std::span<const std::int64_t> released) { return denoised(released, law, choice); }, {}, {}};
}

// One column: noise is added to the truth, and every contender denoises the same numbers.
void add_column(std::span<const std::int64_t> truth, std::span<const std::int64_t> released, double variance,
                std::span<Contender> contenders);

// Draws that are not noise, for invented truths. A failure of the source is kept and told by `state`.
template <class Stream>
class Invention {
 public:
  explicit Invention(random::BasicSource<Stream>& source) : source_(source) {}

  // In (0, 1).
  double uniform() {
    const Result<std::uint64_t> word = source_.draws.next();
    if (!word) state_ = Failure(word.error());
    return (static_cast<double>(word.value_or(0) >> 11) + 0.5) * 0x1p-53;
  }

  // Standard normal, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  const Result<void>& state() const { return state_; }

 private:
  random::BasicSource<Stream>& source_;
  Result<void> state_;
};

template <class Stream>
using Truth = std::function<std::vector<std::int64_t>(Invention<Stream>&)>;

// Adds this many columns to the contenders, each with a new truth and new noise of the law.
template <class Law, class Stream>
Result<void> simulate(const Truth<Stream>& truth, const Law& law, int columns, random::BasicSource<Stream>& source,
                      std::span<Contender> contenders) {
  const noise::IntegerSampler<Law> sampler(law);
  Invention<Stream> invention(source);
  for (int i = 0; i < columns; ++i) {
    const std::vector<std::int64_t> exact = truth(invention);
    std::vector<std::int64_t> released(exact.size());
    if (Result<void> filled = sampler.fill(source, released); !filled) return filled;
    for (std::size_t j = 0; j < exact.size(); ++j) released[j] += exact[j];
    add_column(exact, released, law.variance().upper, contenders);
  }
  return invention.state();
}

}  // namespace vernier::denoise
