#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "vernier/coverage/population.hpp"
#include "vernier/coverage/question.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/interval/rows/quantile.hpp"
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

// The law that spends the whole budget on numbers that one unit moves by `shift` together: the one that is asked for,
// or the one with the better accuracy at alpha, as a plan of this one statistic would choose; geometric of two equals,
// and where delta is 0. Node sums of a population with a public number of rows move twice, since there a row is
// replaced: by L1 twice as far, by L2 the root of 2.
Result<Law> law_for(const Question& question, const Point& point, std::int64_t shift);

// Likewise of a choice of ends.
Result<noise::Exponential> choice_law_for(const Point& point, std::int64_t shift);

inline Sampler sampler_of(const Law& law) {
  return std::visit([](const auto& one) { return Sampler(noise::IntegerSampler(one)); }, law);
}

// How a Release of each kind is made.

// Intervals for the rows as they are.
Result<Release> sample_release(const Question& question, const Point& point, const PlacedPopulation& population);

// Intervals for the population.
Result<Release> population_release(const Question& question, const Point& point, const PlacedPopulation& population);

Result<Release> lecture_release(const Question& question, const Point& point);

// What each step of the population adds to node sums.
std::vector<RowSums> node_rows(const PlacedPopulation& population, const interval::MeanNodes& nodes);

// The nodes from which a plan would publish a mean alone, and a variance or what a population has.
Result<interval::MeanNodes> mean_nodes(const ValueGrid& grid);
Result<interval::MeanNodes> moment_nodes(const ValueGrid& grid);

// The rank that a quantile is about, on a grid of points, and the law that chooses its ends.
struct RankParts {
  noise::RankGrid grid;
  noise::RankStatistic statistic;
  noise::Exponential law;
};
Result<RankParts> rank_parts(const Question& question, const Point& point);

// The sums of these nodes, with the interval that `make` makes for a law.
template <class Make>
Result<Release> node_release(const Question& question, const Point& point, const PlacedPopulation& population,
                             const Result<interval::MeanNodes>& nodes, const Make& make) {
  if (!nodes) return Failure(nodes.error());
  if (point.size > nodes->rows_that_fit()) return invalid("the sample is so large that its sums would leave 64 bits");
  VERNIER_TRY(const Law law, law_for(question, point, nodes->weight()));
  VERNIER_TRY(IntervalMaker maker, std::visit([&](const auto& one) { return make(one, *nodes); }, law));
  return SumsRelease{nodes->count(), node_rows(population, *nodes), sampler_of(law), std::move(maker)};
}

// Of what an inference says of sums.
template <class Inference>
IntervalMaker maker_of(const Inference& inference) {
  return [inference](std::span<const std::int64_t> released) {
    return inference.from(released).map([](const auto& found) { return found.interval; });
  };
}

}  // namespace vernier::coverage
