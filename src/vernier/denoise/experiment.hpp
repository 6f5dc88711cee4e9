#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>
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

// ---- the experiment of Balle and Wang 2018: how far denoised vectors are from the truth, against dimension and noise,
// for vectors that are dense or sparse. experiment.md says what is simulated and what theory says of it.

enum class Shape : std::uint8_t {
  dense,   // all coordinates are normal
  sparse,  // one in twenty is, one at least; the others are 0
};
std::string_view name_of(Shape shape);

// Vectors of random direction and of this length, in units of the grid.
struct Setting {
  Shape shape;
  std::size_t dimension;  // at least least_numbers
  double length;
};

// What is compared. All but the choice of least risk are the paper's, or its threshold taken from the data.
enum class Entrant : std::uint8_t { raw, james_stein, soft_threshold, universal_threshold, least_risk };
inline constexpr Entrant entrants[] = {Entrant::raw, Entrant::james_stein, Entrant::soft_threshold,
                                       Entrant::universal_threshold, Entrant::least_risk};
std::string_view name_of(Entrant entrant);  // "james-stein"

struct Outcome {
  Entrant entrant;
  ErrorMean error;              // 1 is that of raw numbers, on average
  ErrorMean above_raw;          // less that of the raw numbers of the same vectors
  std::optional<double> bound;  // that theory says the mean is not above, for Gaussian noise
  bool is_refuted = false;      // the mean is above, and so far that chance explains it once in a billion
};

// Adds up to the outcomes of all entrants what theory says of vectors like these.
std::vector<Outcome> judged(const Setting& setting, double variance, double large_coordinates,
                            std::span<const Contender> contenders);

std::vector<Contender> entered(const noise::DiscreteGaussian& law);

// The sum over coordinates of min(x^2, variance), over the variance: how many are as large as the noise, about.
double large_coordinates(std::span<const std::int64_t> truth, double variance);

template <class Stream>
std::vector<std::int64_t> vector_of(const Setting& setting, Invention<Stream>& invention) {
  std::vector<double> drawn(setting.dimension, 0.0);
  const std::size_t filled = setting.shape == Shape::dense ? drawn.size() : std::max<std::size_t>(drawn.size() / 20, 1);
  double squares = 0;
  for (std::size_t i = 0; i < filled; ++i) {
    drawn[i] = invention.normal();
    squares += drawn[i] * drawn[i];
  }
  std::vector<std::int64_t> vector;
  for (const double x : drawn) vector.push_back(std::llround(x / std::sqrt(squares) * setting.length));
  return vector;
}

// Vectors are drawn anew each time; the noise is the law's.
template <class Stream>
Result<std::vector<Outcome>> experiment(const Setting& setting, const noise::DiscreteGaussian& law, int vectors,
                                        random::BasicSource<Stream>& source) {
  std::vector<Contender> contenders = entered(law);
  const double variance = law.variance().upper;
  ErrorMean large;
  const Truth<Stream> truth = [&](Invention<Stream>& invention) {
    std::vector<std::int64_t> vector = vector_of(setting, invention);
    large.add(large_coordinates(vector, variance));
    return vector;
  };
  VERNIER_TRY(simulate(truth, law, vectors, source, contenders));
  return judged(setting, variance, large.mean(), contenders);
}

}  // namespace vernier::denoise
