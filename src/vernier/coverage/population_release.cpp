#include "vernier/coverage/release_parts.hpp"
#include "vernier/interval/population_mean.hpp"

namespace vernier::coverage {
namespace {

using interval::Design;
using interval::MeanNodes;

// Rows are drawn with replacement, which is a population without end.
Result<Release> mean_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PopulationMeanInference<One>;
    return Inference::of(law, nodes, point.grid.bounds(), point.alpha, question.assurance, Design{})
        .map(maker_of<Inference>);
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

}  // namespace

Result<Release> population_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  if (question.public_count) {
    return invalid("the interval for a population does not use a public number of rows; leave --public-count out");
  }
  switch (question.statistic) {
    case Statistic::mean:
    case Statistic::proportion:
      return mean_release(question, point, population);
    default:
      return invalid("only means and proportions have an interval for the population here; give --covers sample");
  }
}

}  // namespace vernier::coverage
