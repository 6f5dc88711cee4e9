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

// How far a unit moves the series in deviations of its noise, squared.
double cost_of(const series::Design& design, double scale) {
  const double moved = design.sensitivity() / scale;
  return moved * moved;
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
Result<std::vector<series::Design>> choose(SeriesPlanFacts& facts, Alpha alpha) {
  std::vector<series::Design> designs;
  for (SeriesFacts& one : facts.series) {
    Result<series::Design> design =
        best_design(wanted(one), steps_of(one), one.participation(), static_cast<std::size_t>(one.last));
    if (!design) return about_series(one, design.error());
    one.percent = design->family.percent;
    one.is_normalised = design->family.is_normalised;
    one.scale = 0;
    if (one.has_targets()) {
      const Result<double> scale = scale_for(*design, one.targets(), alpha, one.row_limit);
      if (!scale) return about_series(one, scale.error());
      one.scale = *scale;
    }
    designs.push_back(*std::move(design));
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
Result<void> share_out(SeriesPlanFacts& facts, const std::vector<series::Design>& designs) {
  double fixed = 0, free = 0;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    facts.series[i].scale > 0 ? fixed += cost_of(designs[i], facts.series[i].scale) : ++free;
  }
  VERNIER_TRY(const double deviation, deviation_within(facts));
  const double all = 1 / (deviation * deviation), left = all - fixed;
  if (left < 0 || (free > 0 && left <= all * 1e-6)) return too_dear(facts, fixed);
  for (std::size_t i = 0; i < designs.size(); ++i) {
    SeriesFacts& one = facts.series[i];
    if (one.scale > 0) continue;
    const Result<noise::DiscreteGaussian> law = series::law_at(designs[i].sensitivity() / std::sqrt(left / free));
    if (!law) return about_series(one, law.error());
    one.scale = law->scale();
  }
  return {};
}

// Scales of those that share a budget, grown until the total is within it: what integers cost beyond the formula.
Result<SeriesPlan> grown_within(SeriesPlanFacts facts, const std::vector<bool>& is_free) {
  constexpr int most_rounds = 20;
  const double limit = facts.epsilon_limit.round_down();
  for (int round = 0; round < most_rounds; ++round) {
    VERNIER_TRY(SeriesPlan plan, planned_as_stated(facts));
    if (plan.facts.epsilon <= limit) return plan;
    if (std::ranges::find(is_free, true) == is_free.end()) break;
    const double factor = plan.facts.epsilon / limit * (1 + 1e-9);
    for (std::size_t i = 0; i < is_free.size(); ++i) {
      if (!is_free[i]) continue;
      VERNIER_TRY(const auto law, series::law_at(facts.series[i].scale * factor));
      facts.series[i].scale = law.scale();
    }
  }
  double cost = 0;
  for (const SeriesFacts& one : facts.series) {
    VERNIER_TRY(const auto planned, PlannedSeries::of(one, *Alpha::of(0.05)));
    cost += cost_of(planned.design(), one.scale);
  }
  return too_dear(facts, cost);
}

}  // namespace

std::int64_t SeriesFacts::cells() const {
  std::int64_t cells = 1;
  for (const SeriesColumn& column : columns) cells *= static_cast<std::int64_t>(column.keys.size());
  return cells;
}

Result<PlannedSeries> PlannedSeries::of(const SeriesFacts& facts, Alpha alpha) {
  VERNIER_TRY(series::Design design, series::design_of(facts.family(), steps_of(facts), facts.participation(),
                                                       static_cast<std::size_t>(facts.last)));
  VERNIER_TRY(const Sigma scale, Sigma::of(facts.scale));
  VERNIER_TRY(const auto law, noise::DiscreteGaussian::of(scale));
  return PlannedSeries(std::make_shared<const series::Design>(std::move(design)), law, alpha, facts.row_limit);
}

Result<SeriesPlan> planned_as_stated(SeriesPlanFacts facts) {
  VERNIER_TRY(const Alpha alpha, level_of(facts));
  SeriesPlan plan{std::move(facts), {}, {}};
  double cost = 0;
  std::vector<double> costs;
  for (const SeriesFacts& one : plan.facts.series) {
    VERNIER_TRY(PlannedSeries planned, PlannedSeries::of(one, alpha));
    VERNIER_TRY(const Event event, series::event_of(planned.design().square, planned.law()));
    plan.events.push_back(event);
    costs.push_back(cost_of(planned.design(), one.scale));
    cost += costs.back();
    plan.series.push_back(std::move(planned));
  }
  for (std::size_t i = 0; i < costs.size(); ++i) plan.facts.series[i].share = costs[i] / cost;
  VERNIER_TRY(const Accountant accountant, Accountant::of(plan.events));
  VERNIER_TRY(const auto total, accountant.epsilon(plan.facts.delta));
  plan.facts.epsilon = total.bounds.upper;
  plan.facts.method = total.method;
  return plan;
}

Result<SeriesPlan> plan_series(SeriesPlanFacts facts) {
  if (facts.delta.is_pure()) {
    return invalid("series need a delta above 0, since their noise is Gaussian",
                   "write a delta such as 1e-7 into the budget of the study, or of the catalog");
  }
  VERNIER_TRY(const Alpha alpha, level_of(facts));
  std::vector<bool> is_free;
  for (const SeriesFacts& one : facts.series) is_free.push_back(!one.has_targets());
  VERNIER_TRY(const std::vector<series::Design> designs, choose(facts, alpha));
  VERNIER_TRY(share_out(facts, designs));
  return grown_within(std::move(facts), is_free);
}

std::string canonical(const SeriesPlanFacts& facts) {
  return json_of([&](JsonOut& v) { describe_series_plan(v, facts); });
}

std::vector<SeriesPrice> prices_of(const SeriesPlan& plan, std::size_t place) {
  const SeriesFacts& facts = plan.facts.series[place];
  const auto alpha = level_of(plan.facts);
  std::vector<SeriesPrice> prices;
  const auto add = [&](std::string what, const Targets& targets) {
    const auto design =
        best_design(targets, steps_of(facts), facts.participation(), static_cast<std::size_t>(facts.last));
    if (!design || !alpha) return;
    const auto scale = scale_for(*design, targets, *alpha, facts.row_limit);
    const auto epsilon =
        scale ? gaussian_epsilon(cost_of(*design, *scale), plan.facts.delta) : Result<double>(Failure(scale.error()));
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
