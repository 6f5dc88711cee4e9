#include "vernier/plan/allocate/choice.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic, test::bound_study, test::Parameters, test::with_private_keys;

const accounting::Tightness tight = accounting::Tightness::of(1e-4).value();

BoundStatistic any_statistic(Parameters& any, std::int64_t most_copies, double least, double greatest,
                             bool has_target) {
  const auto shift = static_cast<std::int64_t>(any.log_uniform(1, 1000));
  const auto copies = static_cast<std::int64_t>(any.log_uniform(1, static_cast<double>(most_copies) + 0.5));
  const double relative = any.log_uniform(least, greatest);
  test::NoisyColumn column{"n", Sum::kind, shift, copies};
  if (has_target) column.target = std::to_string(static_cast<double>(shift) * relative);
  return bound_statistic("s", {column}, has_target ? "1" : std::to_string(1 / relative));
}

// Of six or seven items: more than are enumerated.
Pricing any_pricing(Parameters& any, bool has_targets) {
  std::vector<BoundStatistic> statistics;
  const int count = any.uniform(0, 1) < 0.5 ? 6 : 7;
  const std::int64_t most_copies = any.uniform(0, 1) < 0.5 ? 1 : 30;
  const double least = any.log_uniform(2, 200), greatest = least * any.log_uniform(1.5, 100);
  for (int i = 0; i < count; ++i) {
    statistics.push_back(any_statistic(any, most_copies, least, greatest, has_targets));
  }
  if (any.uniform(0, 1) < 0.3) {
    statistics[0] = with_private_keys(bound_statistic("p", {{"n", Units::kind, 1, 1, "30"}}), 2);
  }
  const auto delta = *privacy::Delta::of(any.log_uniform(1e-12, 1e-4));
  const auto study = bound_study(std::move(statistics), {"1", "1e-7"});
  return {items_of(study, delta).value(), study.neighbours, delta};
}

std::vector<Choice> all_choices(std::size_t items) {
  std::vector<Choice> all;
  for (std::size_t bits = 0; bits < (std::size_t{1} << items); ++bits) {
    Choice choice;
    for (std::size_t i = 0; i < items; ++i) choice.push_back(law_kinds[(bits >> i) & 1U]);
    all.push_back(choice);
  }
  return all;
}

// Within 1 % of the best of all choices, for targets.
TEST(AllocateChoice, IsAsCheapAsTheBestOfAll) {
  Parameters any(611);
  for (int i = 0; i < 12; ++i) {
    const Pricing pricing = any_pricing(any, true);
    const double found = pricing.epsilon(cheapest(pricing, 1), 1, tight);
    for (const Choice& choice : all_choices(pricing.items().size())) {
      EXPECT_LE(found, 1.01 * pricing.epsilon(choice, 1, tight)) << i;
    }
  }
}

// And for a budget: no choice meets it with 1 % less noise.
TEST(AllocateChoice, NeedsAsLittleNoiseAsTheBestOfAll) {
  Parameters any(612);
  for (int i = 0; i < 12; ++i) {
    const Pricing pricing = any_pricing(any, false);
    const double epsilon = any.log_uniform(0.3, 5);
    const Choice first = all_of(LawKind::discrete_gaussian, pricing.items().size());
    const Allocation found = allocation(pricing, epsilon, {first, 1 / epsilon}).value();
    EXPECT_LE(pricing.epsilon(found.choice, found.factor, accounting::Tightness::usual()), epsilon);
    for (const Choice& choice : all_choices(pricing.items().size())) {
      EXPECT_GT(pricing.epsilon(choice, found.factor * 0.99, tight), epsilon) << i;
    }
  }
}

TEST(AllocateChoice, TriesEveryChoiceOfFewItems) {
  Parameters any(613);
  const auto study = bound_study(test::any_statistics(any, 4, false), {"1", "1e-7"});
  const auto delta = *privacy::Delta::of(1e-7);
  EXPECT_EQ(candidates({*items_of(study, delta), study.neighbours, delta}, 1).size(), 16U);
}

TEST(AllocateChoice, GivesEqualItemsEqualLaws) {
  const auto study = bound_study({bound_statistic("a", {{"n"}, {"m"}, {"k"}})}, {"1", "1e-7"});
  const auto delta = *privacy::Delta::of(1e-7);
  for (const Choice& choice : candidates({*items_of(study, delta), study.neighbours, delta}, 1)) {
    EXPECT_EQ(choice, all_of(choice[0], 3));
  }
}

TEST(AllocateChoice, IsGeometricAtDeltaZero) {
  Parameters any(614);
  const auto study = bound_study(test::any_statistics(any, 9, false), {"1", "0"});
  const Pricing pricing(*items_of(study, privacy::Delta::zero()), study.neighbours, privacy::Delta::zero());
  EXPECT_EQ(candidates(pricing, 1), std::vector<Choice>(1, all_of(LawKind::geometric, 9)));
}

// From wherever the search starts.
TEST(AllocateFactor, IsTheLeast) {
  Parameters any(615);
  for (int i = 0; i < 20; ++i) {
    const Pricing pricing = any_pricing(any, false);
    const Choice choice = all_of(law_kinds[static_cast<std::size_t>(i % 2)], pricing.items().size());
    const double epsilon = any.log_uniform(0.5, 50);
    const double factor = least_factor(pricing, choice, epsilon, any.log_uniform(1e-9, 1e9)).value();
    const auto usual = accounting::Tightness::usual();
    EXPECT_LE(pricing.epsilon(choice, factor, usual), epsilon);
    EXPECT_GT(pricing.epsilon(choice, factor * 0.99, usual), epsilon) << i;
  }
}

// A budget that needs no noise worth the name gets the least there is.
TEST(AllocateFactor, StopsAtTheLeastScale) {
  const auto study = bound_study({bound_statistic("a", {{"n"}})}, {"10000", "0"});
  const Pricing pricing(*items_of(study, privacy::Delta::zero()), study.neighbours, privacy::Delta::zero());
  const double factor = least_factor(pricing, {LawKind::geometric}, 1e4, 1).value();
  EXPECT_EQ(scale_of(*law_of(pricing.items()[0], LawKind::geometric, factor)), 1e-3);
}

}  // namespace
}  // namespace vernier::plan
