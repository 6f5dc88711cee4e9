#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "vernier/coverage/release_parts.hpp"
#include "vernier/interval/population_count.hpp"
#include "vernier/interval/population_mean.hpp"
#include "vernier/interval/population_spread.hpp"
#include "vernier/interval/population_sum.hpp"

namespace vernier::coverage {
namespace {

using interval::Design;
using interval::MeanNodes;

// Rows that are drawn with replacement are a population without end; totals have a public design.
Design design_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  return {.sampled = sampled_part(question, point, population)};
}

Result<Release> mean_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PopulationMeanInference<One>;
    return Inference::of(law, nodes, point.grid.bounds(), point.alpha, question.assurance, Design{})
        .map(maker_of<Inference>);
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

Result<Release> spread_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const interval::SpreadForm form{interval::Divisor::rows_less_one,
                                  question.statistic == Statistic::standard_deviation};
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PopulationSpreadInference<One>;
    return Real::of(point.grid.range()).and_then([&](Real range) {
      return Inference::of(law, nodes, range, point.alpha, form, Design{}).map(maker_of<Inference>);
    });
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

Result<Release> sum_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const Design design = design_of(question, point, population);
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PopulationSumInference<One>;
    return Inference::of(law, nodes, point.grid.bounds(), point.alpha, design).map(maker_of<Inference>);
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

// Intervals that were made already, since one takes a millisecond and the same counts come again and again.
template <class Inference>
class Remembered {
 public:
  explicit Remembered(const Inference& inference) : inference_(inference) {}

  Result<interval::Interval> from(std::int64_t released) {
    if (const auto known = recall(released)) return *known;
    return inference_.from(released).map([&](const auto& found) {
      const std::lock_guard lock(mutex_);
      return known_.emplace(released, found.interval).first->second;
    });
  }

 private:
  std::optional<interval::Interval> recall(std::int64_t released) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(released);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  Inference inference_;
  std::mutex mutex_;
  std::map<std::int64_t, interval::Interval> known_;
};

template <class One>
Result<IntervalMaker> count_maker(const One& law, const Point& point, const Design& design) {
  using Inference = interval::PopulationCountInference<One>;
  return Inference::of(law, point.alpha, design).map([](const Inference& inference) -> IntervalMaker {
    return [counts = std::make_shared<Remembered<Inference>>(inference)](std::span<const std::int64_t> released) {
      return counts->from(released[0]);
    };
  });
}

Result<Release> count_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const Result<Law> law = law_for(question, point, 1);
  if (!law) return Failure(law.error());
  const Design design = design_of(question, point, population);
  Result<IntervalMaker> maker = std::visit([&](const auto& one) { return count_maker(one, point, design); }, *law);
  if (!maker) return Failure(maker.error());
  return SumsRelease{1, std::vector<RowSums>(population.steps().size(), RowSums{1, 0, 0}), sampler_of(*law),
                     *std::move(maker)};
}

Result<void> check(const Question& question, const Point& point, const PlacedPopulation& population) {
  if (question.public_count) {
    return invalid("the interval for a population does not use a public number of rows; leave --public-count out");
  }
  if (sampled_part(question, point, population) <= 1) return {};
  return invalid("of a population of " + std::to_string(population.members().size()) +
                 " no sample of more members can be drawn, but --size is " + std::to_string(point.size));
}

}  // namespace

Result<Release> population_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  if (Result<void> checked = check(question, point, population); !checked) return Failure(checked.error());
  switch (question.statistic) {
    case Statistic::mean:
    case Statistic::proportion:
      return mean_release(question, point, population);
    case Statistic::variance:
    case Statistic::standard_deviation:
      return spread_release(question, point, population);
    case Statistic::count:
      return count_release(question, point, population);
    case Statistic::sum:
      return sum_release(question, point, population);
    case Statistic::quantile:
      return invalid("a quantile has no interval for the population here; give --covers sample");
  }
  return invalid("there is no such statistic");
}

}  // namespace vernier::coverage
