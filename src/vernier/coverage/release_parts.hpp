#pragma once

#include "vernier/coverage/laws.hpp"

// How a Release of each kind is made.
namespace vernier::coverage {

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
