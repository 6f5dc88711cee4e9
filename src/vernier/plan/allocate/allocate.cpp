#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/allocate/allocator.hpp"
#include "vernier/plan/allocate/choice.hpp"
#include "vernier/plan/allocate/needed.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/allocate/settle.hpp"
#include "vernier/plan/bind/sharing.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

// Numbers that are published in whole steps have margins in whole steps: less noise than the most that has the same
// margin is of no use to them, and others have what that saves. allocate.md, "Whole steps".

constexpr std::int64_t most_felt_steps = 100;  // above that a step is less than a hundredth
constexpr int most_rounds_of_steps = 3;

// A margin that is felt, and the largest scales with it.
struct Felt {
  std::int64_t steps;
  Scales scales;
};

// Of a measurement; none where it is no integer with noise of its own.
std::optional<Felt> felt_at(const BoundStudy& study, const MeasuredPlace& place, const Law& law) {
  const BoundStatistic& statistic = study.statistics[place.statistic];
  const Measured in = measured_at(statistic, place.measurement);
  const auto noise = additive(law);
  if (!noise || !in.one.aggregation || !is_one_integer(in) || in.is_of_population()) return std::nullopt;
  const auto level = level_of(statistic, place.measurement, study.alpha, planned_groups(statistic));
  if (!level) return std::nullopt;
  const auto told =
      std::visit([&](const auto& known) { return accuracy::of(known, *level, accuracy::Cells::one()); }, *noise);
  if (!told || told->accuracy > static_cast<double>(most_felt_steps)) return std::nullopt;
  const auto steps = static_cast<std::int64_t>(told->accuracy);
  return Felt{steps, scales_for(steps, *level)};
}

// Of all that is drawn with one noise: the widest of their margins, which can have levels of their own, and the largest
// scales at which none of them grows. None where one of them is not felt.
std::optional<Felt> felt_by(const BoundStudy& study, const std::vector<MeasuredPlace>& members, const Law& law) {
  std::optional<Felt> all;
  for (const MeasuredPlace& place : members) {
    const std::optional<Felt> one = felt_at(study, place, law);
    if (!one) return std::nullopt;
    const Felt before = all.value_or(*one);
    all = Felt{std::max(before.steps, one->steps),
               {std::min(before.scales[0], one->scales[0]), std::min(before.scales[1], one->scales[1])}};
  }
  return all;
}

// Items that share the budget, with the margins of their noise; the one with the widest keeps what the others leave.
std::optional<std::vector<NoiseItem>> held_to_steps(const BoundStudy& study, const Allocator& allocator,
                                                    const Allocation& found) {
  const auto laws = allocator.laws(found);
  if (!laws) return std::nullopt;
  std::vector<NoiseItem> items = allocator.items();
  const std::vector<std::vector<MeasuredPlace>> members = members_of_items(study);
  std::vector<std::pair<std::size_t, Felt>> felt;
  std::size_t free = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_free) continue;
    ++free;
    const bool is_felt = !items[i].keys && i < members.size();  // a table's margin is no whole number of steps
    const auto one = is_felt ? felt_by(study, members[i], (*laws)[i]) : std::nullopt;
    if (one && one->steps > 0) felt.emplace_back(i, *one);  // what is exact as a rule stays so
  }
  std::stable_sort(felt.begin(), felt.end(),
                   [](const auto& a, const auto& b) { return a.second.steps < b.second.steps; });
  if (felt.size() == free && !felt.empty()) felt.pop_back();
  for (const auto& [i, one] : felt) {
    items[i].base = one.scales;
    items[i].is_free = false;
  }
  return felt.empty() ? std::nullopt : std::optional(std::move(items));
}

// What a study is given: scales, and the factor of those that share.
struct Given {
  Allocator allocator;
  Allocation found;
};

Result<Given> within_steps(const BoundStudy& study, Given given, double epsilon) {
  for (int round = 0; round < most_rounds_of_steps; ++round) {
    auto items = held_to_steps(study, given.allocator, given.found);
    if (!items) break;
    Allocator next = given.allocator.with_items(*std::move(items));
    const Result<Allocation> better = next.from(epsilon, given.found);
    if (!better || better->factor > given.found.factor) break;
    given = {std::move(next), *better};
  }
  return given;
}

// Keys have half of delta to begin with. Noise of bounded loss has no use for the other half, or for most of it: then
// thresholds are lower for nothing. allocate.md, "Thresholds".
constexpr double unfelt = 1e-3;  // of epsilon, or of the margins

// The allocation with other thresholds, where it is within epsilon and costs no more than is felt.
std::optional<Allocation> as_good(const Given& given, const Allocator& next, double epsilon) {
  const double before = given.allocator.epsilon(given.found);
  if (!any_is_free(next.items())) {
    const Allocation found = next.targets();
    const double most = before > epsilon ? before : std::min(before * (1 + unfelt), epsilon);
    return next.epsilon(found) <= most ? std::optional(found) : std::nullopt;
  }
  constexpr double hopeless = 1.05;  // so much more would take noise that is felt
  if (!(next.epsilon(given.found) <= before * hopeless)) return std::nullopt;
  const Result<Allocation> found = next.from(epsilon, given.found);
  return found && found->factor <= given.found.factor * (1 + unfelt) ? std::optional(*found) : std::nullopt;
}

Given with_least_thresholds(Given given, double epsilon) {
  if (!given.allocator.has_private_keys()) return given;
  for (const double times : greater_risks_of_keys) {
    Allocator next = given.allocator.with_risk_of_keys(times);
    if (const auto found = as_good(given, next, epsilon)) return {std::move(next), *found};
  }
  return given;
}

// Noise that has a sum of epsilons which is hardly more than its total at delta can do without a delta, which then
// stays with the ledger. allocate.md, "Without delta".
Given without_delta(Given given, double epsilon) {
  const Allocator& before = given.allocator;
  if (before.delta().is_pure() || before.has_private_keys() || !any_is_free(before.items())) return given;
  const std::optional<double> pure = before.pure_epsilon(given.found);
  if (!pure || *pure <= epsilon || *pure > epsilon * (1 + unfelt / 2)) return given;
  const Result<Allocation> found = before.with_delta(*privacy::Delta::of(0)).within(epsilon);
  if (found && found->factor <= given.found.factor * (1 + unfelt)) given.found = *found;
  return given;
}

// Targets that are so wide that noise without a delta costs next to nothing: little by itself, and less of the
// catalog's epsilon than a thousandth of what the delta would be of the catalog's. allocate.md, "Without delta".
constexpr double little_epsilon = 1e-4, little_beside_delta = 1e-3;

bool costs_next_to_nothing(const BoundStudy& study, double epsilon, double delta) {
  const query::Budget& whole = study.catalog.budget;
  return epsilon <= little_epsilon &&
         epsilon * whole.delta.round_up() <= little_beside_delta * delta * whole.epsilon.round_down();
}

// Of targets alone. A [[table]] has a delta always, and so have private keys.
Given targets_without_delta(const BoundStudy& study, Given given) {
  const Allocator& before = given.allocator;
  const bool needs_delta = before.has_private_keys() || !study.tables.empty();
  if (before.delta().is_pure() || needs_delta || any_is_free(before.items())) return given;
  Allocator pure = before.with_delta(*privacy::Delta::of(0));
  const Allocation found = pure.targets();
  if (!costs_next_to_nothing(study, pure.epsilon(found), before.delta().value())) return given;
  return {std::move(pure), found};
}

// All noise of a plan as what a common factor applies to.
std::vector<NoiseItem> all_free(std::vector<NoiseItem> items, double factor) {
  for (NoiseItem& item : items) {
    if (item.is_free) {
      for (double& scale : item.base) scale = std::min(scale * factor, item.greatest);
    }
    item.greatest = std::numeric_limits<double>::infinity();
    item.is_free = true;
  }
  return items;
}

// Targets that are the least which is wanted have scales that are not to be exceeded: a factor of 1.
bool has_least_targets(const BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [](const BoundStatistic& one) { return one.at_least; });
}

// The same question with all targets as they are.
Allocator with_targets_alone(const Allocator& allocator) {
  std::vector<NoiseItem> items = allocator.items();
  for (NoiseItem& item : items) item.is_free = false;
  return allocator.with_items(std::move(items));
}

// With targets that are the least: but for the last digits of a search these have a factor of 1 at most.
Result<Allocation> found_within(const BoundStudy& study, const Allocator& allocator, double epsilon, Care care) {
  if (!has_least_targets(study)) return allocator.within(epsilon, care);
  VERNIER_TRY(const Allocation alone, with_targets_alone(allocator).within(epsilon));  // or what they cost
  VERNIER_TRY(const Allocation found, allocator.within(epsilon, care));
  return found.factor > 1 ? alone : found;
}

Result<Given> given_within(const BoundStudy& study, const Allocator& allocator, double epsilon) {
  return found_within(study, allocator, epsilon, Care::full).and_then([&](const Allocation& found) {
    return within_steps(study, {allocator, found}, epsilon).map([&](Given given) {
      given = without_delta(with_least_thresholds(std::move(given), epsilon), epsilon);
      return targets_without_delta(study, std::move(given));
    });
  });
}

// What the study's own plan has: for its budget, or of its targets, whatever they cost.
Result<Given> own_allocation(const BoundStudy& study, const Allocator& allocator) {
  if (any_is_free(allocator.items())) return given_within(study, allocator, ceiling_of(study));
  return targets_without_delta(study, with_least_thresholds({allocator, allocator.targets()}, ceiling_of(study)));
}

// Allocations for one epsilon after the other, each looked for near the last one. At the epsilon of the plan itself it
// is the plan, which is the one with the factor 1: noise that is larger by a millionth would lose a whole step. The
// plan can be one without a delta; elsewhere there is that of the study.
class Sweep {
 public:
  Sweep(const Allocator& own, const Choice& planned, privacy::Delta delta)
      : own_(own), allocator_(own.with_delta(delta)), planned_{planned, 1}, planned_epsilon_(own.epsilon(planned_)) {}

  Result<Plan> at(double epsilon) {
    const bool is_own = planned_epsilon_ <= epsilon && epsilon <= planned_epsilon_ * (1 + as_rounded);
    VERNIER_TRY(const auto found, is_own ? Result<Allocation>(planned_) : allocation_at(epsilon));
    if (last_ && last_epsilon_ != epsilon && last_->factor != found.factor) {
      power_ = std::log(found.factor / last_->factor) / std::log(last_epsilon_ / epsilon);
    }
    last_ = found;
    last_epsilon_ = epsilon;
    return (is_own ? own_ : allocator_).plan(found);
  }

 private:
  static constexpr double as_rounded = 1e-3;  // an epsilon of three digits, rounded up

  Result<Allocation> allocation_at(double epsilon) const {
    return last_ ? allocator_.near(epsilon, *last_, guess(epsilon)) : allocator_.within(epsilon);
  }

  // The factor falls about as this power of epsilon grows.
  double guess(double epsilon) const { return last_->factor * std::pow(last_epsilon_ / epsilon, power_); }

  const Allocator& own_;
  Allocator allocator_;
  Allocation planned_;
  double planned_epsilon_;
  std::optional<Allocation> last_;
  double last_epsilon_ = 0;
  double power_ = 1;
};

Result<Plan> allocate_settled(const BoundStudy& study) {
  VERNIER_TRY(check_budget(study));
  return Allocator::of(study).and_then([&](const Allocator& allocator) {
    return given_within(study, allocator, ceiling_of(study)).and_then([](const Given& given) {
      return given.allocator.plan(given.found);
    });
  });
}

// How good the columns without a target are with this noise: the mean of the logarithms of their accuracies.
Result<double> mean_accuracy(const BoundStudy& study, const std::vector<Law>& laws) {
  const std::vector<std::vector<std::size_t>> items = items_by_place(study);
  double sum = 0, columns = 0;
  for (std::size_t i = 0; i < study.statistics.size(); ++i) {
    const BoundStatistic& statistic = study.statistics[i];
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j) {
      const Measurement& one = statistic.measurements[j];
      if (!one.aggregation || (one.target && !statistic.at_least)) continue;
      VERNIER_TRY(const Alpha level, level_of(statistic, j, study.alpha, planned_groups(statistic)));
      VERNIER_TRY(const Told told, accuracy_with(measured_at(statistic, j), laws[items[i][j]], level));
      sum += std::log(std::max(told.accuracy, 1e-300));
      ++columns;
    }
  }
  return columns > 0 ? sum / columns : 0;
}

// Of a study in which all is decided: what its targets cost; where columns share a budget, how good they are. Within
// about a thousandth, and without what the last steps of a plan gain.
Result<double> worth(const BoundStudy& study) {
  VERNIER_TRY(const Allocator allocator, Allocator::of(study));
  if (any_is_free(allocator.items())) {
    VERNIER_TRY(const Allocation found, found_within(study, allocator, ceiling_of(study), Care::rough));
    VERNIER_TRY(const std::vector<Law> laws, allocator.laws(found));
    return mean_accuracy(study, laws);
  }
  const double epsilon = allocator.epsilon(allocator.targets(), Care::rough);
  return std::isfinite(epsilon) ? Result<double>(std::log(epsilon)) : invalid("no epsilon is certified for it");
}

}  // namespace

Result<Plan> allocate(const BoundStudy& study) { return allocate_settled(settled(study, worth)); }

Result<std::optional<Needed>> needed(const BoundStudy& asked) {
  const BoundStudy study = settled(asked, worth);
  return Allocator::of(study).and_then([](const Allocator& allocator) { return allocator.needed(); });
}

Result<std::vector<Plan>> allocate_at(const BoundStudy& asked, const std::vector<privacy::Epsilon>& epsilons,
                                      const Progress& progress) {
  const BoundStudy study = settled(asked, worth);
  VERNIER_TRY(const Allocator asked_of, Allocator::of(study));
  VERNIER_TRY(const Given own, own_allocation(study, asked_of));
  const Allocator allocator = own.allocator.with_items(all_free(own.allocator.items(), own.found.factor));
  Sweep sweep(allocator, own.found.choice, asked_of.delta());
  std::vector<Plan> plans;
  for (const privacy::Epsilon epsilon : epsilons) {
    VERNIER_TRY(auto plan, sweep.at(epsilon.value()));
    plans.push_back(std::move(plan));
    if (!progress(static_cast<double>(plans.size()) / static_cast<double>(epsilons.size())))
      return fail(ErrorKind::system, "the work was stopped");
  }
  return plans;
}

}  // namespace vernier::plan
