#include "vernier/interval/population/count.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/proportion.hpp"
#include "vernier/interval/population/published.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/interval/population/sum.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/nodes.hpp"
#include "vernier/plan/bind/public_count.hpp"
#include "vernier/plan/bind/ranks.hpp"
#include "vernier/release/number/number_maker.hpp"
#include "vernier/release/number/public_count.hpp"

// Intervals for a population.
namespace vernier::release {
namespace {

using interval::Assurance;
using interval::Design;
using interval::PopulationInterval;
using plan::BoundStatistic;
using plan::Figure;
using plan::Measurement;

Number published(const PopulationInterval& found) {
  return {.value = found.value,
          .accuracy = found.accuracy,
          .interval = found.interval,
          .is_whole = false,
          .coverage = found.status,
          .covers = PopulationInterval::covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

// The maker of an inference that takes all noisy integers of a group.
template <class Inference>
Result<NumberMaker> maker_of(const Result<Inference>& made) {
  if (!made) return Failure(made.error());
  return NumberMaker(
      [inference = *made](std::span<const std::int64_t> noisy) { return inference.from(noisy).map(published); });
}

struct Asked {
  const Measurement& measurement;
  Alpha alpha;
  Assurance assurance;
  Design design;
  std::optional<interval::Publication> publication;  // of private keys
};

template <class Law>
Result<NumberMaker> count_maker(const Law& law, const Asked& asked) {
  if (asked.publication) {
    return interval::PublishedCountInference<Law>::of(law, *asked.publication, asked.alpha, asked.design)
        .map([](const auto& inference) -> NumberMaker {
          return [inference](std::span<const std::int64_t> noisy) { return inference.from(noisy[0]).map(published); };
        });
  }
  if (asked.design.members_of_weight > 0) {
    return maker_of(interval::PopulationSumInference<Law>::of_count(law, asked.alpha, asked.design));
  }
  return interval::PopulationCountInference<Law>::of(law, asked.alpha, asked.design)
      .map([](const auto& inference) -> NumberMaker {
        return [inference](std::span<const std::int64_t> noisy) { return inference.from(noisy[0]).map(published); };
      });
}

template <class Law>
Result<NumberMaker> mean_maker(const Law& law, const interval::MeanNodes& nodes, noise::ValueRange bounds,
                               const Asked& asked) {
  if (asked.measurement.kind == plan::MeasurementKind::mean) {
    return maker_of(interval::PopulationProportionInference<Law>::of(law, nodes, bounds, asked.alpha, asked.assurance,
                                                                     asked.design));
  }
  return maker_of(
      interval::PopulationMeanInference<Law>::of(law, nodes, bounds, asked.alpha, asked.assurance, asked.design));
}

// Of weighted rows, one less would be one step of a weight, which tells nothing.
interval::SpreadForm asked_form(const Asked& asked) {
  interval::SpreadForm form = form_of(asked.measurement.figure);
  if (asked.design.greatest_weight != 1) form.divisor = interval::Divisor::rows;
  return form;
}

template <class Law>
Result<NumberMaker> spread_maker(const Law& law, const interval::MeanNodes& nodes, const Asked& asked) {
  const Measurement& one = asked.measurement;
  return Real::of(static_cast<double>(one.steps) * one.granularity).and_then([&](Real range) {
    return maker_of(
        interval::PopulationSpreadInference<Law>::of(law, nodes, range, asked.alpha, asked_form(asked), asked.design));
  });
}

template <class Law>
Result<NumberMaker> population_maker(const Law& law, const Asked& asked) {
  const Measurement& one = asked.measurement;
  if (!plan::has_nodes(one.kind)) {
    if (one.figure == Figure::count && one.kind != plan::MeasurementKind::distinct) return count_maker(law, asked);
    return invalid("it is published as something of which no population is told");
  }
  if (!plan::can_show(one.kind, one.figure) || one.figure == Figure::count) {
    return invalid("it is published as something that its node sums do not hold");
  }
  const Result<interval::MeanNodes> nodes = plan::nodes_of(one);
  const Result<noise::ValueRange> bounds = bounds_of(one);
  if (!nodes) return Failure(nodes.error());
  if (!bounds) return Failure(bounds.error());
  if (one.figure == Figure::mean) return mean_maker(law, *nodes, *bounds, asked);
  if (one.figure != Figure::sum) return spread_maker(law, *nodes, asked);
  if (asked.publication) {
    return maker_of(interval::PublishedSumInference<Law>::of(law, *nodes, *bounds, *asked.publication, asked.alpha,
                                                             asked.assurance, asked.design));
  }
  return maker_of(interval::PopulationSumInference<Law>::of(law, *nodes, *bounds, asked.alpha, asked.design));
}

Result<NumberMaker> quantile_maker(const BoundStatistic& statistic, const Measurement& measurement,
                                   const noise::Exponential& law, Alpha alpha) {
  return points_maker(population_rank_inference(statistic, measurement, law, alpha), measurement,
                      interval::Covers::population);
}

// Published are private keys by the first measurement, that of units.
std::optional<interval::Publication> publication_of(const plan::PlannedStatistic& planned) {
  if (!planned.keys) return std::nullopt;
  const std::optional<plan::AdditiveLaw> law = plan::additive(planned.noise.front().law);
  if (!law) return std::nullopt;
  return interval::Publication(*law, planned.keys->threshold);
}

Result<NumberMaker> population_figure_maker(const BoundStatistic& statistic, const Measurement& measurement,
                                            const plan::PlannedStatistic& planned, const plan::Law& law, Alpha level) {
  const std::optional<interval::Publication> publication = publication_of(planned);
  if (publication) {
    VERNIER_TRY(interval::check_published_design(plan::design_of(statistic)));
  }
  const auto* const choice = std::get_if<noise::Exponential>(&law);
  const bool is_quantile = measurement.kind == plan::MeasurementKind::quantiles;
  if (is_quantile != (choice != nullptr)) return invalid("the ends of a quantile are chosen by the exponential law");
  if (is_quantile) return quantile_maker(statistic, measurement, *choice, level);
  const Asked asked{measurement, level, statistic.inference.is_guaranteed ? Assurance::guaranteed : Assurance::usual,
                    plan::design_of(statistic), publication};
  return std::visit([&](const auto& known) { return population_maker(known, asked); }, *plan::additive(law));
}

}  // namespace

Result<interval::PopulationQuantileInference> population_rank_inference(const BoundStatistic& statistic,
                                                                        const Measurement& measurement,
                                                                        const noise::Exponential& law, Alpha alpha) {
  const auto ranked = plan::rank_statistic(measurement);
  const auto grid = plan::rank_grid(measurement);
  if (!ranked) return Failure(ranked.error());
  if (!grid) return Failure(grid.error());
  return interval::PopulationQuantileInference::of(*ranked, *grid, law, alpha, plan::greatest_weight(statistic));
}

Result<NumberMaker> figure_maker(const BoundStatistic& statistic, std::size_t measurement,
                                 const plan::PlannedStatistic& planned, Alpha level) {
  const Measurement& one = statistic.measurements[measurement];
  const plan::Law& law = planned.noise[measurement].law;
  if (plan::has_public_count(one.kind)) {
    const std::optional<plan::AdditiveLaw> noise = plan::additive(law);
    if (!noise) return invalid("the exponential law chooses the ends of quantiles alone");
    return public_count_maker(statistic, one, *noise, level);
  }
  if (one.kind == plan::MeasurementKind::quantile_tree) return tree_maker(statistic, measurement, law);
  const bool is_selected = planned.keys && one.source.value_or(measurement) == 0;
  if (statistic.inference.of_population && one.aggregation) {
    if (is_selected) return invalid("the number by which private keys are chosen tells nothing of a population");
    return population_figure_maker(statistic, one, planned, law, level);
  }
  return number_maker(one, law, level, is_selected ? std::optional(planned.keys->threshold) : std::nullopt);
}

}  // namespace vernier::release
