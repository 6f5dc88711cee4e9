#include "vernier/plan/series/series_plan.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/plan/series/description.hpp"

namespace vernier::plan {
namespace {

using accounting::Accountant;
using accounting::Event;
using series::Kind;
using series::Targets;

Result<Alpha> level_of(const SeriesPlanFacts& facts) { return Alpha::of(facts.alpha.round_down()); }

std::size_t steps_of(const SeriesFacts& facts) { return static_cast<std::size_t>(facts.calendar.steps()); }

// What stands for targets where a budget is shared: one kind alone, whatever its unit.
Targets wanted(const SeriesFacts& facts) {
  if (facts.has_targets()) return facts.targets();
  Targets one;
  (facts.best == query::SeriesKind::each   ? one.each
   : facts.best == query::SeriesKind::last ? one.last
                                           : one.cumulative) = 1;
  return one;
}

Failure about_series(const SeriesFacts& facts, Error error) {
  return Failure(about("the series '" + facts.name + "'", std::move(error)));
}

// How far a unit moves a series, or all tables of a bundle, in deviations of its noise, squared: by what is measured.
double cost_of(const series::Design& design, const SeriesFacts& facts) {
  const double moved = design.sensitivity() / facts.scale;
  return moved * moved * facts.squared_contrast();
}

// The same of noise by which all cells are as good as those of a series alone of this scale.
double cost_at(const SeriesBundle& bundle, const series::Design& design, double scale) {
  const double moved = design.sensitivity() / scale;
  return moved * moved * bundle.cost;
}

using Designs = std::vector<std::shared_ptr<const series::Design>>;  // of each bundle
using Laws = std::vector<noise::DiscreteGaussian>;

// The widest spread of all tables.
series::Spread widest(const SeriesBundle& bundle, const Laws& laws, std::size_t steps) {
  series::Spread worst = spread_of_table(bundle, 0, laws, steps);
  for (std::size_t i = 1; i < bundle.count; ++i) {
    const series::Spread one = spread_of_table(bundle, i, laws, steps);
    worst = {std::max(worst.scale, one.scale), std::min(worst.least, one.least), std::max(worst.draws, one.draws)};
  }
  return worst;
}

Result<double> scale_within(const SeriesBundle& bundle, const series::Design& design, const Targets& targets,
                            Alpha alpha, std::int64_t row_limit) {
  const std::size_t steps = design.strategy.steps();
  return scale_for(design, targets, alpha, row_limit, [&](double scale) {
    return laws_at(bundle, scale).map([&](const Laws& laws) { return widest(bundle, laws, steps); });
  });
}

Result<void> take_laws(std::vector<SeriesFacts>& all, const SeriesBundle& bundle, double scale) {
  const Result<Laws> laws = laws_at(bundle, scale);
  if (!laws) return about_series(all[bundle.first], laws.error());
  for (std::size_t i = 0; i < bundle.count; ++i) all[bundle.first + i].scale = (*laws)[i].scale();
  return {};
}

// The deviation of Gaussian noise by which a move of 1 costs what is allowed.
Result<double> deviation_within(const SeriesPlanFacts& facts) {
  constexpr double spared = 1e-9;
  const double limit = facts.epsilon_limit.round_down() * (1 - spared);
  VERNIER_TRY(const auto epsilon, privacy::Epsilon::of(limit));
  VERNIER_TRY(const auto one, privacy::L2Sensitivity::of(1));
  VERNIER_TRY(const auto mechanism, mechanism::GaussianMechanism::calibrate(epsilon, facts.delta, one));
  return mechanism.law().scale();
}

Result<double> epsilon_of(const std::vector<Event>& events, privacy::Delta delta) {
  VERNIER_TRY(const Accountant accountant, Accountant::of(events));
  return accountant.epsilon(delta).map([](const accounting::Guarantee& total) { return total.bounds.upper; });
}

// The cost of a series that meets its targets, by a formula that is near enough for a sentence.
Result<double> gaussian_epsilon(double cost, privacy::Delta delta) {
  VERNIER_TRY(const Sigma scale, Sigma::of(1 / std::sqrt(cost)));
  VERNIER_TRY(const auto one, privacy::L2Sensitivity::of(1));
  VERNIER_TRY(const Event event,
              Event::of(mechanism::GaussianMechanism::at_scale(scale, one), privacy::Neighbours::add_remove));
  return epsilon_of({event}, delta);
}

// Matrices for all, and scales for those that have targets.
Result<Designs> choose(SeriesPlanFacts& facts, const std::vector<SeriesBundle>& bundles, Alpha alpha) {
  Designs designs;
  for (const SeriesBundle& bundle : bundles) {
    const SeriesFacts& one = facts.series[bundle.first];
    Result<series::Design> design =
        best_design(wanted(one), steps_of(one), one.participation(), static_cast<std::size_t>(one.last));
    if (!design) return about_series(one, design.error());
    for (std::size_t i = 0; i < bundle.count; ++i) {
      SeriesFacts& table = facts.series[bundle.first + i];
      table.percent = design->family.percent;
      table.is_normalised = design->family.is_normalised;
      table.scale = 0;
    }
    if (one.has_targets()) {
      const Result<double> scale = scale_within(bundle, *design, one.targets(), alpha, one.row_limit);
      if (!scale) return about_series(one, scale.error());
      VERNIER_TRY(take_laws(facts.series, bundle, *scale));
    }
    designs.push_back(std::make_shared<const series::Design>(*std::move(design)));
  }
  return designs;
}

Failure too_dear(const SeriesPlanFacts& facts, double cost) {
  const auto needed = gaussian_epsilon(cost, facts.delta);
  return invalid("the accuracies of the series need epsilon " + (needed ? rounded_up_text(*needed, 3) : "above all") +
                     ", but the " + (facts.has_budget ? "budget" : "catalog") + " has " +
                     rounded_down_text(facts.epsilon_limit.round_up()),
                 "raise the budget, relax an accuracy, or let a unit count at fewer steps");
}

// Those without targets get what the others leave, each the same part.
Result<void> share_out(SeriesPlanFacts& facts, const std::vector<SeriesBundle>& bundles, const Designs& designs) {
  double fixed = 0, free = 0;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (!(facts.series[bundles[i].first].scale > 0)) ++free;
    for (std::size_t j = 0; j < bundles[i].count; ++j) {
      const SeriesFacts& one = facts.series[bundles[i].first + j];
      if (one.scale > 0) fixed += cost_of(*designs[i], one);
    }
  }
  VERNIER_TRY(const double deviation, deviation_within(facts));
  const double all = 1 / (deviation * deviation), left = all - fixed;
  if (left < 0 || (free > 0 && left <= all * 1e-6)) return too_dear(facts, fixed);
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (facts.series[bundles[i].first].scale > 0) continue;
    VERNIER_TRY(
        take_laws(facts.series, bundles[i], designs[i]->sensitivity() * std::sqrt(bundles[i].cost / (left / free))));
  }
  return {};
}

double cost_of_all(const std::vector<SeriesFacts>& all, const std::vector<SeriesBundle>& bundles,
                   const Designs& designs) {
  double cost = 0;
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    for (std::size_t j = 0; j < bundles[i].count; ++j) cost += cost_of(*designs[i], all[bundles[i].first + j]);
  }
  return cost;
}

Result<Laws> laws_stated(std::span<const SeriesFacts> all) {
  Laws laws;
  for (const SeriesFacts& one : all) {
    VERNIER_TRY(const auto law, Sigma::of(one.scale).and_then(noise::DiscreteGaussian::of));
    laws.push_back(law);
  }
  return laws;
}

// The series of a bundle at their stated scales, and what they give away: each contrast for itself, since a unit moves
// all of them.
Result<void> add_planned(SeriesPlan& plan, const SeriesBundle& bundle,
                         const std::shared_ptr<const series::Design>& design, Alpha alpha) {
  const std::span<const SeriesFacts> all = std::span(plan.facts.series).subspan(bundle.first, bundle.count);
  VERNIER_TRY(const Laws laws, laws_stated(all));
  for (std::size_t i = 0; i < bundle.count; ++i) {
    const series::Spread spread = spread_of_table(bundle, i, laws, design->strategy.steps());
    plan.series.emplace_back(design, laws[i], spread, alpha, all[i]);
    if (!(all[i].squared_contrast() > 0)) continue;
    const series::Square square = design->square * static_cast<series::Square>(all[i].squared_contrast());
    VERNIER_TRY(const Event event, series::event_of(square, laws[i]));
    plan.events.push_back(event);
  }
  return {};
}

Result<SeriesPlan> planned_with(SeriesPlanFacts facts, const std::vector<SeriesBundle>& bundles,
                                const Designs& designs) {
  VERNIER_TRY(const Alpha alpha, level_of(facts));
  SeriesPlan plan{std::move(facts), {}, bundles, {}};
  for (std::size_t i = 0; i < bundles.size(); ++i) VERNIER_TRY(add_planned(plan, bundles[i], designs[i], alpha));
  const double cost = cost_of_all(plan.facts.series, bundles, designs);
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    for (std::size_t j = 0; j < bundles[i].count; ++j) {
      SeriesFacts& one = plan.facts.series[bundles[i].first + j];
      one.share = cost_of(*designs[i], one) / cost;
    }
  }
  VERNIER_TRY(const Accountant accountant, Accountant::of(plan.events));
  VERNIER_TRY(const auto total, accountant.epsilon(plan.facts.delta));
  plan.facts.epsilon = total.bounds.upper;
  plan.facts.method = total.method;
  return plan;
}

// Scales of those that share a budget, grown until the total is within it: what integers cost beyond the formula.
Result<SeriesPlan> grown_within(SeriesPlanFacts facts, const std::vector<SeriesBundle>& bundles, const Designs& designs,
                                const std::vector<bool>& is_free) {
  constexpr int most_rounds = 20;
  const double limit = facts.epsilon_limit.round_down();
  for (int round = 0; round < most_rounds; ++round) {
    VERNIER_TRY(SeriesPlan plan, planned_with(facts, bundles, designs));
    if (plan.facts.epsilon <= limit) return plan;
    if (std::ranges::find(is_free, true) == is_free.end()) break;
    const double factor = plan.facts.epsilon / limit * (1 + 1e-9);
    for (std::size_t i = 0; i < is_free.size(); ++i) {
      if (!is_free[i]) continue;
      VERNIER_TRY(const auto law, series::law_at(facts.series[i].scale * factor));
      facts.series[i].scale = law.scale();
    }
  }
  return too_dear(facts, cost_of_all(facts.series, bundles, designs));
}

}  // namespace

std::int64_t SeriesFacts::cells() const {
  std::int64_t cells = 1;
  for (const SeriesColumn& column : columns) cells *= static_cast<std::int64_t>(column.keys.size());
  return cells;
}

double SeriesFacts::squared_contrast() const {
  double square = 1;
  if (together.empty()) return square;
  for (const SeriesColumn& column : columns) {
    const auto keys = static_cast<double>(column.keys.size());
    square *= keys * (keys - 1);
  }
  return square;
}

Result<SeriesPlan> planned_as_stated(SeriesPlanFacts facts) {
  VERNIER_TRY(std::vector<SeriesBundle> bundles, bundles_of(facts.series));
  Designs designs;
  for (const SeriesBundle& bundle : bundles) {
    const SeriesFacts& one = facts.series[bundle.first];
    VERNIER_TRY(series::Design design, series::design_of(one.family(), steps_of(one), one.participation(),
                                                         static_cast<std::size_t>(one.last)));
    designs.push_back(std::make_shared<const series::Design>(std::move(design)));
  }
  return planned_with(std::move(facts), bundles, designs);
}

Result<SeriesPlan> plan_series(SeriesPlanFacts facts) {
  if (facts.delta.is_pure()) {
    return invalid("series need a delta above 0, since their noise is Gaussian",
                   "write a delta such as 1e-7 into the budget of the study, or of the catalog");
  }
  VERNIER_TRY(const Alpha alpha, level_of(facts));
  std::vector<bool> is_free;
  for (const SeriesFacts& one : facts.series) is_free.push_back(!one.has_targets());
  VERNIER_TRY(const std::vector<SeriesBundle> bundles, bundles_of(facts.series));
  VERNIER_TRY(const Designs designs, choose(facts, bundles, alpha));
  VERNIER_TRY(share_out(facts, bundles, designs));
  return grown_within(std::move(facts), bundles, designs, is_free);
}

std::string canonical(const SeriesPlanFacts& facts) {
  return json_of([&](JsonOut& v) { describe_series_plan(v, facts); });
}

std::vector<SeriesPrice> prices_of(const SeriesPlan& plan, std::size_t place) {
  const SeriesFacts& facts = plan.facts.series[place];
  const auto alpha = level_of(plan.facts);
  std::vector<SeriesPrice> prices;
  const auto bundle = std::ranges::find(plan.bundles, place, &SeriesBundle::first);
  if (bundle == plan.bundles.end()) return prices;  // its tables have one price
  const auto add = [&](std::string what, const Targets& targets) {
    const auto design =
        best_design(targets, steps_of(facts), facts.participation(), static_cast<std::size_t>(facts.last));
    if (!design || !alpha) return;
    const auto scale = scale_within(*bundle, *design, targets, *alpha, facts.row_limit);
    const auto epsilon = scale ? gaussian_epsilon(cost_at(*bundle, *design, *scale), plan.facts.delta)
                               : Result<double>(Failure(scale.error()));
    if (epsilon) prices.push_back({std::move(what) + " by " + series::name_of(design->family), *epsilon});
  };
  const auto text = [](double accuracy) { return "±" + query::plain(accuracy); };
  if (facts.each_target) add("each " + text(*facts.each_target) + " alone", {.each = facts.each_target});
  if (facts.last_target)
    add("last " + std::to_string(facts.last) + " " + text(*facts.last_target) + " alone", {.last = facts.last_target});
  if (facts.cumulative_target)
    add("cumulative " + text(*facts.cumulative_target) + " alone", {.cumulative = facts.cumulative_target});
  if (prices.size() < 2) prices.clear();
  return prices;
}

}  // namespace vernier::plan
