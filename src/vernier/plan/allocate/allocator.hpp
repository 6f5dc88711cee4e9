#pragma once

#include <optional>
#include <vector>

#include "vernier/plan/allocate/choice.hpp"
#include "vernier/plan/allocate/needed.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::plan {

bool any_is_free(const std::vector<NoiseItem>& items);

// The noise of a study in which all is decided: for its targets, and for what shares a budget.
class Allocator {
 public:
  static Result<Allocator> of(const BoundStudy& study);

  // The same question with other scales, with so many times as much of delta for the thresholds of private keys, and
  // with another delta.
  Allocator with_items(std::vector<NoiseItem> items) const;
  Allocator with_risk_of_keys(double times) const;
  Allocator with_delta(privacy::Delta delta) const;

  bool has_private_keys() const;
  const std::vector<NoiseItem>& items() const { return pricing_.items(); }
  privacy::Delta delta() const { return pricing_.delta(); }

  // Targets as they are, what is left of this epsilon for the others. `rough` where only about so much noise is asked.
  Result<Allocation> within(double epsilon, Care care = Care::full) const;

  // The same, where an allocation of a question like it is known: of less noise, or of other thresholds.
  Result<Allocation> from(double epsilon, const Allocation& known) const;

  // The same, where that of an epsilon nearby is known.
  Result<Allocation> near(double epsilon, const Allocation& known, double guess) const;

  // The targets at their least price, whatever that is.
  Allocation targets() const { return {cheapest(pricing_, 1), 1}; }

  Result<Plan> plan(const Allocation& found) const;
  Result<std::vector<Law>> laws(const Allocation& found) const { return pricing_.laws(found.choice, found.factor); }

  // The upper end of the total.
  double epsilon(const Allocation& found, Care care = Care::full) const;

  // The sum of the epsilons that its events have at delta 0, rounded up; none where one of them has none.
  std::optional<double> pure_epsilon(const Allocation& found) const;

  // What the targets need, and the column that costs most; none where that is no column.
  Result<std::optional<Needed>> needed() const;

 private:
  Allocator(const BoundStudy& study, std::vector<NoiseItem> items, privacy::Delta delta);

  // The best for the targets alone, Gaussian for the others, and what the targets cost.
  struct TargetsAlone {
    Choice choice;
    double epsilon;
  };

  std::optional<Allocation> contrasts_within(double epsilon) const;
  Result<Allocation> targets_within(double epsilon) const;
  double guess_at(double epsilon) const;
  Result<TargetsAlone> targets_alone() const;
  Result<Choice> first_choice(double epsilon) const;
  Failure too_dear(const Allocation& found, double needed) const;
  bool is_to_see(const Allocation& found) const;
  std::string limits_of_dearest(const Allocation& found) const;
  std::string dearest(const Allocation& found) const;
  Result<std::optional<std::size_t>> dearest_item(const Allocation& found) const;

  const BoundStudy* study_;
  std::vector<NoiseItem> asked_;  // as the study has them
  Pricing pricing_;
};

}  // namespace vernier::plan
