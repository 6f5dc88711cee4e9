#include <algorithm>
#include <cmath>
#include <iterator>

#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/choice.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/allocate/price.hpp"

namespace vernier::plan {
namespace {

using accounting::Tightness;
std::string described(const BoundStudy& study, std::size_t item) {
  const MeasuredPlace place = measured_places(study)[item];
  const BoundStatistic& statistic = study.statistics[place.statistic];
  return described(statistic, statistic.measurements[place.measurement]);
}

bool any_is_free(const std::vector<NoiseItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const NoiseItem& item) { return item.is_free; });
}

class Allocator {
 public:
  Allocator(const BoundStudy& study, std::vector<NoiseItem> items, privacy::Delta delta)
      : study_(study), pricing_(std::move(items), study.neighbours, delta) {}

  // Targets as they are, what is left of this epsilon for the others.
  Result<Allocation> within(double epsilon) const {
    if (!any_is_free(pricing_.items())) return targets_within(epsilon);
    return first_choice(epsilon).and_then([&](const Choice& first) { return allocation(pricing_, epsilon, first); });
  }

  // The same, where that of an epsilon nearby is known.
  Result<Allocation> near(double epsilon, const Allocation& known, double guess) const {
    return nearby_allocation(pricing_, epsilon, known.choice, guess);
  }

  // The targets at their least price, whatever that is.
  Allocation targets() const { return {cheapest(pricing_, 1), 1}; }

  Result<Plan> plan(const Allocation& found) const { return planned(study_, pricing_, found); }

  const std::vector<NoiseItem>& items() const { return pricing_.items(); }
  privacy::Delta delta() const { return pricing_.delta(); }

 private:
  Result<Allocation> targets_within(double epsilon) const {
    const Allocation found = targets();
    VERNIER_TRY(const auto total, pricing_.guarantee(found.choice, 1, Tightness::usual()));
    if (total.bounds.upper > epsilon) return too_dear(found, total.bounds.upper);
    return found;
  }

  // The best for the targets alone, Gaussian for the others. An error where the targets alone are too dear.
  Result<Choice> first_choice(double epsilon) const {
    const bool is_pure = pricing_.delta().is_pure();
    Choice first = all_of(is_pure ? LawKind::geometric : LawKind::discrete_gaussian, items().size());
    std::vector<NoiseItem> fixed;
    std::copy_if(items().begin(), items().end(), std::back_inserter(fixed),
                 [](const NoiseItem& item) { return !item.is_free; });
    if (fixed.empty()) return first;
    const Pricing alone(std::move(fixed), pricing_.neighbours(), pricing_.delta());
    const Choice best = cheapest(alone, 1);
    for (std::size_t i = 0, j = 0; i < items().size(); ++i) {
      if (!items()[i].is_free) first[i] = best[j++];
    }
    VERNIER_TRY(const auto total, alone.guarantee(best, 1, Tightness::usual()));
    if (total.bounds.upper > epsilon) return too_dear({first, 1}, total.bounds.upper);
    return first;
  }

  Failure too_dear(const Allocation& found, double needed) const {
    return invalid("the targets need epsilon " + rounded_up_text(needed, 3) + " at " + described_delta(study_) +
                   ", but " + described_ceiling(study_) + "; raise the budget, or relax the accuracy of " +
                   dearest(found) + ", which costs most");
  }

  // The target that costs most.
  std::string dearest(const Allocation& found) const {
    const auto laws = pricing_.laws(found.choice, found.factor);
    if (!laws) return "the columns";
    const std::vector<double> shares = shares_of(items(), *laws, pricing_.neighbours(), pricing_.delta());
    std::optional<std::size_t> most;
    for (std::size_t i = 0; i < items().size(); ++i) {
      if (!items()[i].is_free && (!most || shares[i] > shares[*most])) most = i;
    }
    return described(study_, most.value_or(0));
  }

  const BoundStudy& study_;
  Pricing pricing_;
};

Result<Allocator> allocator_of(const BoundStudy& study) {
  return delta_of(study).and_then([&](privacy::Delta delta) {
    return items_of(study, delta).map([&](std::vector<NoiseItem> items) {
      return Allocator(study, std::move(items), delta);
    });
  });
}

// All noise of a plan as what a common factor applies to.
std::vector<NoiseItem> all_free(std::vector<NoiseItem> items, double factor) {
  for (NoiseItem& item : items) {
    if (item.is_free) {
      for (double& scale : item.base) scale *= factor;
    }
    item.is_free = true;
  }
  return items;
}

// The factor of the plan for the study's own budget; 1 where all or none of the columns have targets, since then their
// proportions do not depend on it.
Result<double> planned_factor(const BoundStudy& study, const Allocator& allocator) {
  const auto& items = allocator.items();
  const bool is_mixed = any_is_free(items) &&
                        !std::all_of(items.begin(), items.end(), [](const NoiseItem& item) { return item.is_free; });
  if (!is_mixed) return 1.0;
  return allocator.within(ceiling_of(study)).map([](const Allocation& found) { return found.factor; });
}

// All noise of the study's own plan, as what a common factor applies to.
Result<Allocator> with_all_free(const BoundStudy& study, const Allocator& own) {
  return planned_factor(study, own).map([&](double factor) {
    return Allocator(study, all_free(own.items(), factor), own.delta());
  });
}

// Allocations for one epsilon after the other, each looked for near the last one.
class Sweep {
 public:
  explicit Sweep(const Allocator& allocator) : allocator_(allocator) {}

  Result<Plan> at(double epsilon) {
    VERNIER_TRY(const auto found,
                last_ ? allocator_.near(epsilon, *last_, guess(epsilon)) : allocator_.within(epsilon));
    if (last_) power_ = std::log(found.factor / last_->factor) / std::log(last_epsilon_ / epsilon);
    last_ = found;
    last_epsilon_ = epsilon;
    return allocator_.plan(found);
  }

 private:
  // The factor falls about as this power of epsilon grows.
  double guess(double epsilon) const { return last_->factor * std::pow(last_epsilon_ / epsilon, power_); }

  const Allocator& allocator_;
  std::optional<Allocation> last_;
  double last_epsilon_ = 0;
  double power_ = 1;
};

}  // namespace

Result<Plan> allocate(const BoundStudy& study) {
  return check_budget(study).and_then([&] { return allocator_of(study); }).and_then([&](const Allocator& allocator) {
    return allocator.within(ceiling_of(study)).and_then([&](const Allocation& found) { return allocator.plan(found); });
  });
}

Result<std::vector<Plan>> allocate_at(const BoundStudy& study, const std::vector<privacy::Epsilon>& epsilons,
                                      const Progress& progress) {
  VERNIER_TRY(const auto allocator,
              allocator_of(study).and_then([&](const Allocator& own) { return with_all_free(study, own); }));
  Sweep sweep(allocator);
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
