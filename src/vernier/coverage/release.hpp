#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "vernier/coverage/population.hpp"
#include "vernier/coverage/question.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/interval/population_quantile.hpp"
#include "vernier/interval/value_quantile.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"

// A release of a sample as it is simulated: with the laws, samplers and intervals that ship.
namespace vernier::coverage {

using Law = std::variant<noise::Geometric, noise::DiscreteGaussian>;
using Sampler = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
using IntervalMaker = std::function<Result<interval::Interval>(std::span<const std::int64_t> released)>;
using RowSums = std::array<std::int64_t, interval::most_nodes>;

// One to three sums over the rows, each with noise of its own.
struct SumsRelease {
  std::size_t sums;
  std::vector<RowSums> rows;  // what a row adds to each, by the place of its step
  Sampler noise;
  IntervalMaker interval;
};

// Two ends, chosen by their ranks; of the rows with a value between them.
struct EndsRelease {
  std::variant<interval::ValueQuantileInference, interval::PopulationQuantileInference> inference;
};

// The mean of a public number of rows with Gaussian noise, plus and minus what the noise exceeds with probability
// alpha.
struct LectureRelease {
  noise::GaussianNoise noise;
  double accuracy;
};

using Release = std::variant<SumsRelease, EndsRelease, LectureRelease>;

// An error where the statistic has no such interval, or no noise does what is asked.
Result<Release> release_of(const Question& question, const Point& point, const PlacedPopulation& population);

// Counts and sums of a population need a public design: each member is in the sample with the chance size / members.
// For all other questions 0: rows are drawn with replacement.
double sampled_part(const Question& question, const Point& point, const PlacedPopulation& population);

// "geometric", "discrete-gaussian", "exponential" or "gaussian".
std::string_view law_name(const Release& release);

}  // namespace vernier::coverage
