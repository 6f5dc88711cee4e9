#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "vernier/coverage/population.hpp"
#include "vernier/coverage/question.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// A release of a sample as it is simulated: bound, planned and estimated by what ships, for a table of one column.
namespace vernier::coverage {

using Sampler = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
using IntervalMaker = std::function<Result<interval::Interval>(std::span<const std::int64_t> released)>;
inline constexpr std::size_t most_row_sums = 15;  // of one or two columns
using RowSums = std::array<std::int64_t, most_row_sums>;

// Sums over the rows, each with noise of its own but for the first `kept`, which are public.
struct SumsRelease {
  std::size_t sums;
  std::size_t kept;
  std::vector<RowSums> rows;  // what a row adds to each, by the place of its step
  Sampler noise;
  IntervalMaker interval;
};

// Two ends, chosen by their ranks; of the rows with a value between them.
struct PointsRelease {
  std::variant<plan::ChosenPoints<noise::RankReach>, plan::ChosenPoints<noise::ValueReach>> points;
  noise::RankGrid grid;
  IntervalMaker interval;
};

// The mean of a public number of rows with Gaussian noise, plus and minus what the noise exceeds with probability
// alpha.
struct LectureRelease {
  noise::GaussianNoise noise;
  double accuracy;
};

using Release = std::variant<SumsRelease, PointsRelease, LectureRelease>;

// An error where the statistic has no such interval, or no noise does what is asked.
Result<Release> release_of(const Question& question, const Point& point, const PlacedPopulation& population);

// Counts and sums of a population need a public design: each member is in the sample with the chance size / members.
// For all other questions 0: rows are drawn with replacement.
double sampled_part(const Question& question, const Point& point, const PlacedPopulation& population);

// "geometric", "discrete-gaussian", "exponential" or "gaussian".
std::string_view law_name(const Release& release);

}  // namespace vernier::coverage
