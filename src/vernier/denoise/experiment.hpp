#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vernier/denoise/simulation.hpp"

// The experiment of Balle and Wang 2018: how far denoised vectors are from the truth, against dimension and noise, for
// vectors that are dense or sparse. experiment.md says what is simulated and what theory says of it.
namespace vernier::denoise {

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
