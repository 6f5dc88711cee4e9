#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "vernier/coverage/release.hpp"
#include "vernier/interval/population/count.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/proportion.hpp"
#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/interval/population/sum.hpp"

namespace vernier::coverage {
namespace {

using interval::Design;
using interval::MeanNodes;

// Rows that are drawn with replacement are a population without end; totals have a public design.
Design design_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  return {.sampled = sampled_part(question, point, population)};
}

// Intervals that were made already, since one of counts takes milliseconds and the same counts come again and again.
class Remembered {
 public:
  explicit Remembered(IntervalMaker make) : make_(std::move(make)) {}

  Result<interval::Interval> from(std::span<const std::int64_t> released) {
    const std::vector<std::int64_t> counts(released.begin(), released.end());
    if (const auto known = recall(counts)) return *known;
    return make_(released).map([&](const interval::Interval& made) {
      const std::lock_guard lock(mutex_);
      return known_.emplace(counts, made).first->second;
    });
  }

 private:
  std::optional<interval::Interval> recall(const std::vector<std::int64_t>& counts) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(counts);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  IntervalMaker make_;
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, interval::Interval> known_;
};

IntervalMaker remembering(IntervalMaker make) {
  return [known = std::make_shared<Remembered>(std::move(make))](std::span<const std::int64_t> released) {
    return known->from(released);
  };
}

Result<Release> mean_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PopulationMeanInference<One>;
    return Inference::of(law, nodes, point.grid.bounds(), point.alpha, question.assurance, Design{})
        .map(maker_of<Inference>);
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

// With a public number of rows, of two values too.
Result<Release> public_mean_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PublicCountPopulationMean<One>;
    return Inference::of(law, nodes, point.grid.bounds(), point.alpha, question.assurance, Design{})
        .map([rows = point.size](const Inference& inference) -> IntervalMaker {
          return [inference, rows](std::span<const std::int64_t> released) {
            return inference.from(released, rows).map([](const auto& found) { return found.interval; });
          };
        });
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

// Of two values, by the exact law of their numbers.
Result<Release> proportion_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    using Inference = interval::PopulationProportionInference<One>;
    return Inference::of(law, nodes, point.grid.bounds(), point.alpha, question.assurance, Design{})
        .map([](const Inference& inference) { return remembering(maker_of(inference)); });
  };
  return node_release(question, point, population, mean_nodes(point.grid), make);
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

template <class One>
Result<IntervalMaker> count_maker(const One& law, const Point& point, const Design& design) {
  using Inference = interval::PopulationCountInference<One>;
  return Inference::of(law, point.alpha, design).map([](const Inference& inference) {
    return remembering([inference](std::span<const std::int64_t> released) {
      return inference.from(released[0]).map([](const auto& found) { return found.interval; });
    });
  });
}

Result<Release> count_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  VERNIER_TRY(const Law law, law_for(question, point, 1));
  const Design design = design_of(question, point, population);
  VERNIER_TRY(IntervalMaker maker, std::visit([&](const auto& one) { return count_maker(one, point, design); }, law));
  return SumsRelease{1, std::vector<RowSums>(population.steps().size(), RowSums{1, 0, 0}), sampler_of(law),
                     std::move(maker)};
}

Result<Release> quantile_release(const Question& question, const Point& point) {
  return rank_parts(question, point).and_then([&](const RankParts& parts) {
    return interval::PopulationQuantileInference::of(parts.statistic, parts.grid, parts.law, point.alpha)
        .map([](const auto& inference) { return Release(EndsRelease{inference}); });
  });
}

Result<void> check(const Question& question, const Point& point, const PlacedPopulation& population) {
  if (sampled_part(question, point, population) <= 1) return {};
  return invalid("of a population of " + std::to_string(population.members().size()) +
                 " no sample of more members can be drawn, but " + parameter("size") + " is " + std::to_string(point.size));
}

}  // namespace

Result<Release> population_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  VERNIER_TRY(check(question, point, population));
  switch (question.statistic) {
    case Statistic::mean:
    case Statistic::proportion:
      if (question.public_count) return public_mean_release(question, point, population);
      return point.grid.steps() == 1 ? proportion_release(question, point, population)
                                     : mean_release(question, point, population);
    case Statistic::variance:
    case Statistic::standard_deviation:
      return spread_release(question, point, population);
    case Statistic::count:
      return count_release(question, point, population);
    case Statistic::sum:
      return sum_release(question, point, population);
    case Statistic::quantile:
      return quantile_release(question, point);
  }
  return invalid("there is no such statistic");
}

}  // namespace vernier::coverage
