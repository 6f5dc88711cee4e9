// Identities of plans, over studies of all kinds.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using accounting::Accountant;
using accounting::Event;
using test::any_statistics, test::bound_statistic, test::bound_study, test::NoisyColumn, test::Parameters,
    test::StudyTerms, test::with_private_keys;

double accuracy_of(const Law& law, Alpha alpha) {
  return std::visit([&](const auto& known) { return accuracy::of(known, alpha, accuracy::Cells::one())->accuracy; },
                    additive(law).value());
}

double total_of(const std::vector<Event>& events, privacy::Delta delta) {
  return Accountant::of(events)->epsilon(delta)->bounds.upper;
}

// The same with noise of `factor` times the scale.
Event rescaled(const Event& event, double factor) {
  const auto noise = std::visit(
      [&](const auto& known) -> accounting::Release {
        using Known = std::decay_t<decltype(known)>;
        if constexpr (std::is_same_v<Known, mechanism::GeometricMechanism>) {
          return *Known::at_scale(*LaplaceScale::of(known.law().scale() * factor), known.sensitivity());
        } else if constexpr (std::is_same_v<Known, mechanism::DiscreteGaussianMechanism>) {
          return *Known::at_scale(*Sigma::of(known.law().scale() * factor), known.sensitivity());
        } else {
          return known;
        }
      },
      event.release());
  return *Event::of(noise, event.neighbours(), event.times());
}

std::vector<const PlannedNoise*> noise_of(const Plan& plan) {
  std::vector<const PlannedNoise*> all;
  for (const PlannedStatistic& statistic : plan.statistics) {
    for (const PlannedNoise& noise : statistic.noise) all.push_back(&noise);
  }
  return all;
}

double sum_of_shares(const Plan& plan) {
  double sum = 0;
  for (const PlannedNoise* noise : noise_of(plan)) sum += noise->share;
  return sum;
}

StudyTerms any_terms(Parameters& any) {
  StudyTerms terms;
  terms.epsilon = std::to_string(any.log_uniform(0.1, 20));
  terms.delta = any.uniform(0, 1) < 0.25 ? "0" : any.uniform(0, 1) < 0.5 ? "1e-7" : "1e-10";
  terms.alpha = any.uniform(0.001, 0.5);
  if (any.uniform(0, 1) < 0.5) terms.neighbours = privacy::Neighbours::replace;
  return terms;
}

// The total is what an accountant says of the events, within the budget, and a thousandth less noise breaks it.
TEST(Allocate, SpendsTheBudgetAndNoMore) {
  Parameters any(601);
  for (int i = 0; i < 40; ++i) {
    const auto terms = any_terms(any);
    const auto study = bound_study(any_statistics(any, 1 + i % 12, false), terms);
    const Result<Plan> plan = allocate(study);
    ASSERT_TRUE(plan) << plan.error().sentence();
    EXPECT_EQ(plan->epsilon, total_of(plan->events, plan->delta));
    EXPECT_LE(numeric::Rational::of(plan->epsilon).value(), study.budget->epsilon);
    std::vector<Event> less;
    for (const Event& event : plan->events) less.push_back(rescaled(event, 0.999));
    EXPECT_GT(total_of(less, plan->delta), study.budget->epsilon.round_up()) << i;
    EXPECT_NEAR(sum_of_shares(*plan), 1, 1e-12);
  }
}

// weight * accuracy / shift is the same for all, up to whole steps.
TEST(Allocate, SharesByWeight) {
  Parameters any(602);
  for (int i = 0; i < 20; ++i) {
    const auto terms = any_terms(any);
    auto statistics = any_statistics(any, 6, false);
    for (auto& statistic : statistics) statistic.measurements[0].sensitivity.shift += 1000;
    const Plan plan = allocate(bound_study(statistics, terms)).value();
    std::vector<double> relative;
    for (std::size_t j = 0; j < statistics.size(); ++j) {
      relative.push_back(statistics[j].weight.round_up() * plan.statistics[j].noise[0].accuracy /
                         static_cast<double>(statistics[j].measurements[0].sensitivity.shift));
    }
    const auto [least, greatest] = std::minmax_element(relative.begin(), relative.end());
    EXPECT_LE(*greatest, *least * 1.01 + 2e-3) << i;
  }
}

// Every target is met with the largest scale of its law, and the budget's rest goes to the others.
TEST(Allocate, MeetsEveryTarget) {
  Parameters any(603);
  int targets = 0;
  for (int i = 0; i < 30; ++i) {
    auto terms = any_terms(any);
    terms.epsilon = "60";
    terms.neighbours = privacy::Neighbours::add_remove;
    const auto study = bound_study(any_statistics(any, 8, true), terms);
    const Result<Plan> plan = allocate(study);
    if (!plan) continue;  // the targets need more
    EXPECT_LE(plan->epsilon, 60);
    EXPECT_EQ(plan->epsilon, total_of(plan->events, plan->delta));
    for (std::size_t j = 0; j < study.statistics.size(); ++j) {
      const auto& target = study.statistics[j].measurements[0].target;
      const PlannedNoise& noise = plan->statistics[j].noise[0];
      EXPECT_EQ(noise.accuracy, accuracy_of(noise.law, study.alpha));
      EXPECT_EQ(noise.accuracy, static_cast<double>(noise.accuracy_steps));
      if (!target) continue;
      ++targets;
      EXPECT_EQ(noise.accuracy_steps, target->floor().value());
    }
  }
  EXPECT_GT(targets, 40);
}

TEST(Allocate, SpendsLessThanTheBudgetWhereTargetsAreMet) {
  const auto statistic = bound_statistic("a", {{"people", Count::kind, 1, 1, "50"}});
  const Plan with = allocate(bound_study({statistic}, {"5", "1e-7"})).value();
  const Plan without = allocate(bound_study({statistic}, {})).value();
  EXPECT_LT(with.epsilon, 0.06);
  EXPECT_EQ(with.epsilon, without.epsilon);
  EXPECT_EQ(with.statistics[0].noise[0].accuracy, 50);
}

TEST(Allocate, TakesATenthOfTheCatalogsDeltaWithoutABudget) {
  const auto statistic = bound_statistic("a", {{"people", Count::kind, 1, 1, "50"}});
  EXPECT_NEAR(allocate(bound_study({statistic}, {}))->delta.value(), 1e-7, 1e-20);
  StudyTerms pure;
  pure.catalog_delta = "0";
  EXPECT_TRUE(allocate(bound_study({statistic}, pure))->delta.is_pure());
}

// A delta would be all that it costs: ± 10^9 needs epsilon 0 at any delta that matters.
TEST(Allocate, TakesNoDeltaForNoiseThatCostsNextToNothing) {
  const auto planned = [](const char* accuracy, const StudyTerms& terms) {
    return allocate(bound_study({bound_statistic("a", {{"people", Count::kind, 1, 1, accuracy}})}, terms)).value();
  };
  for (const StudyTerms& terms : {StudyTerms{}, StudyTerms{"1", "1e-7"}}) {
    const Plan wide = planned("1000000000", terms);
    EXPECT_TRUE(wide.delta.is_pure());
    EXPECT_EQ(name_of(wide.statistics[0].noise[0].law), "geometric");
    EXPECT_GT(wide.epsilon, 1e-9);
    EXPECT_LT(wide.epsilon, 1e-8);
    EXPECT_FALSE(planned("1000", terms).delta.is_pure());
  }
}

TEST(Allocate, TellsOfNoiseWithoutADeltaWhatElseItsEpsilonWouldBuy) {
  const auto study = bound_study({bound_statistic("a", {{"people", Count::kind, 1, 1, "1000000000"}})}, {});
  const Plan own = allocate(study).value();
  const auto plans = allocate_at(study, {*privacy::Epsilon::of(own.epsilon), *privacy::Epsilon::of(0.01)}).value();
  EXPECT_TRUE(plans[0].delta.is_pure());
  EXPECT_EQ(plans[0].statistics[0].noise[0].accuracy, 1e9);
  EXPECT_FALSE(plans[1].delta.is_pure());  // elsewhere that of the study may buy something
}

// Published in units of the grid: a sum of quarters, and a mean of 500 rows of them.
TEST(Allocate, StatesAccuracyAsPublished) {
  auto statistic =
      bound_statistic("a", {{"total", Sum::kind, 40, 1, "10.6", 0.25}, {"mean", Mean::kind, 40, 2, "0.3", 0.25}});
  statistic.typical_rows = 500;
  const Plan plan = allocate(bound_study({statistic}, {})).value();
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy_steps, 42);  // floor(10.6 / 0.25)
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy, 10.5);
  EXPECT_EQ(plan.statistics[0].noise[1].accuracy_steps, 600);  // 0.3 * 500 / 0.25
  EXPECT_NEAR(plan.statistics[0].noise[1].accuracy, 0.3, 1e-15);
  EXPECT_GE(plan.statistics[0].noise[1].accuracy, 0.3);
}

// A target is an exact decimal: 0.29 * 100 is below 29 in doubles.
TEST(Allocate, RoundsTargetsExactly) {
  auto statistic = bound_statistic("a", {{"mean", Mean::kind, 1, 2, "0.29"}});
  statistic.typical_rows = 100;
  const Plan plan = allocate(bound_study({statistic}, {})).value();
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy_steps, 29);
}

// A target below one step is met by noise that is almost always 0; a very loose one by the greatest scale.
TEST(Allocate, TakesTargetsOfAnySize) {
  const auto fine = allocate(bound_study({bound_statistic("a", {{"n", Count::kind, 1, 1, "0.5"}})}, {}));
  EXPECT_EQ(fine->statistics[0].noise[0].accuracy, 0);
  EXPECT_GT(fine->epsilon, 3);
  const auto loose = allocate(bound_study({bound_statistic("a", {{"n", Count::kind, 1, 1, "1e40"}})}, {}));
  EXPECT_EQ(scale_of(loose->statistics[0].noise[0].law), 1e12);
}

TEST(Allocate, AddsUpAtDeltaZero) {
  const auto columns = std::vector<NoisyColumn>{{"part", Sum::kind, 500, 1}, {"total", Sum::kind, 700, 3}};
  const Plan plan = allocate(bound_study({bound_statistic("a", columns)}, {"2", "0"})).value();
  EXPECT_EQ(name_of(plan.statistics[0].noise[0].law), "geometric");
  EXPECT_EQ(name_of(plan.statistics[0].noise[1].law), "geometric");
  EXPECT_NEAR(500 / scale_of(plan.statistics[0].noise[0].law) + 3 * 700 / scale_of(plan.statistics[0].noise[1].law), 2,
              1e-5);
  EXPECT_NEAR(plan.statistics[0].noise[1].share, 0.75, 1e-5);
  EXPECT_EQ(plan.method, accounting::Method::basic);
}

// A count that is known within 3 needs no less noise than that; the sum beside it has the rest, as if 3 had been asked.
TEST(Allocate, IsNotBeatenByItsOwnRestatement) {
  const auto plan_of = [](const std::optional<std::string>& target) {
    const auto columns = std::vector<NoisyColumn>{{"n", Count::kind, 1, 1, target}, {"total", Sum::kind, 100, 1}};
    return allocate(bound_study({bound_statistic("a", columns)}, {"2", "1e-6"})).value();
  };
  const Plan plan = plan_of({}), restated = plan_of("3");
  EXPECT_EQ(plan.statistics[0].noise[0].accuracy, 3);
  EXPECT_EQ(plan.statistics[0].noise[1].accuracy, restated.statistics[0].noise[1].accuracy);
  EXPECT_EQ(scale_of(plan.statistics[0].noise[0].law), scale_of(restated.statistics[0].noise[0].law));
  EXPECT_LT(plan.statistics[0].noise[1].accuracy, 270);
}

// Sensitivities hold for the relation they were computed under: nothing is doubled again.
TEST(Allocate, CostsTheSameUnderReplaceForTheSameSensitivity) {
  StudyTerms terms{"1", "1e-7"};
  const auto statistics = std::vector{bound_statistic("a", {{"n", Count::kind, 2, 3}})};
  const Plan add_remove = allocate(bound_study(statistics, terms)).value();
  terms.neighbours = privacy::Neighbours::replace;
  const Plan replace = allocate(bound_study(statistics, terms)).value();
  EXPECT_EQ(replace.events[0].neighbours(), privacy::Neighbours::replace);
  EXPECT_EQ(scale_of(replace.statistics[0].noise[0].law), scale_of(add_remove.statistics[0].noise[0].law));
  EXPECT_EQ(replace.events[0].times().value(), 3);
}

// A trial with other means: one column 20 times more accurate than k others, at (1, 1e-6), with geometric noise for it
// alone improves all of them by so much over Gaussian noise for all. (With five others geometric noise for all is
// better still, by a little.)
TEST(Allocate, GivesTheTightestColumnGeometricNoise) {
  for (const auto& [others, gain] : {std::pair{5, 2.19}, {20, 1.81}, {100, 1.35}}) {
    std::vector<NoisyColumn> columns(static_cast<std::size_t>(others), {"n", Sum::kind, 1000});
    auto tight = bound_statistic("tight", {{"n", Sum::kind, 1000}}, "20");
    StudyTerms terms{"1", "1e-6"};
    const Plan plan = allocate(bound_study({tight, bound_statistic("rest", columns)}, terms)).value();
    EXPECT_EQ(name_of(plan.statistics[0].noise[0].law), "geometric");
    EXPECT_EQ(name_of(plan.statistics[1].noise[0].law), others == 5 ? "geometric" : "discrete-gaussian");
    // All Gaussian: sigma = c T with sum (shift / sigma)^2 the mu^2 of (1, 1e-6), sigma = 4.2247 shift for one alone.
    const double all_gaussian = 4.2247 * 1000 * std::sqrt(others + 400) * 1.959964;
    EXPECT_NEAR(all_gaussian / plan.statistics[1].noise[0].accuracy, gain, 0.02 * gain) << others;
  }
}

// The same trial: so many equal counts are at least as accurate with geometric noise, one more is not.
TEST(Allocate, ChangesTheLawOfEqualColumnsWhereTheyBecomeMany) {
  const auto law = [](int count) {
    std::vector<NoisyColumn> columns(static_cast<std::size_t>(count), {"n", Sum::kind, 1000});
    return name_of(allocate(bound_study({bound_statistic("a", columns)}, {"1", "1e-6"}))->statistics[0].noise[0].law);
  };
  EXPECT_EQ(law(7), "geometric");
  EXPECT_EQ(law(8), "discrete-gaussian");
}

Plan at(const BoundStudy& study, double epsilon) {
  return allocate_at(study, {*privacy::Epsilon::of(epsilon)}).value().front();
}

// What-if: one factor for all noise of the plan.
TEST(AllocateAt, MovesAllAccuraciesTogether) {
  std::vector<BoundStatistic> statistics = {bound_statistic("a", {{"n", Sum::kind, 1000, 1, "40000"}}),
                                            bound_statistic("b", {{"n", Sum::kind, 1000}})};
  const auto study = bound_study(statistics, {"1", "1e-7"});
  const Plan own = allocate(study).value();
  const Plan same = at(study, 1);
  const Plan more = at(study, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(same.statistics[i].noise[0].accuracy / own.statistics[i].noise[0].accuracy, 1, 1e-3);
  }
  EXPECT_NEAR(more.statistics[0].noise[0].accuracy / own.statistics[0].noise[0].accuracy,
              more.statistics[1].noise[0].accuracy / own.statistics[1].noise[0].accuracy, 1e-3);
  EXPECT_LT(more.statistics[0].noise[0].accuracy, 0.6 * own.statistics[0].noise[0].accuracy);
  EXPECT_LE(more.epsilon, 2);
  EXPECT_GT(more.epsilon, 1.999);
}

TEST(AllocateAt, IsThePlanWhereNothingHasATarget) {
  Parameters any(604);
  const auto study = bound_study(any_statistics(any, 5, false), {"0.7", "1e-7"});
  const Plan own = allocate(study).value(), what_if = at(study, 0.7);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(own.statistics[i].noise[0].accuracy, what_if.statistics[i].noise[0].accuracy);
  }
}

// A target has the largest scale that meets it: noise that is larger by a millionth would lose a whole step.
TEST(AllocateAt, IsThePlanAtItsOwnEpsilon) {
  for (int round = 0; round < 6; ++round) {
    const auto study = bound_study({bound_statistic("a", {{"n", Count::kind, 1, 1, "25"}}),
                                    bound_statistic("b", {{"n", Count::kind, 1, 1 + 3 * round, "31"}})},
                                   {"100", round % 2 == 0 ? "1e-7" : "0"});
    const Plan own = allocate(study).value();
    for (const double epsilon : {own.epsilon, own.epsilon * 1.0005}) {
      for (const Plan& same :
           {at(study, epsilon), allocate_at(study, test::epsilons({0.9 * epsilon, epsilon}))->back()}) {
        for (std::size_t i = 0; i < 2; ++i) {
          EXPECT_EQ(same.statistics[i].noise[0].accuracy, own.statistics[i].noise[0].accuracy) << epsilon;
          EXPECT_EQ(scale_of(same.statistics[i].noise[0].law), scale_of(own.statistics[i].noise[0].law)) << epsilon;
        }
      }
    }
  }
}

// Each point is looked for near the last one; what it finds does not depend on that.
TEST(AllocateAt, FindsForManyBudgetsWhatItFindsForEach) {
  Parameters any(605);
  const std::vector<double> totals = {0.2, 0.3, 0.45, 0.7, 1, 1.6, 2.5, 0.25};
  for (int round = 0; round < 4; ++round) {
    const auto study = bound_study(any_statistics(any, 4, true), {"3", "1e-7"});
    const std::vector<Plan> together = allocate_at(study, test::epsilons(totals)).value();
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const Plan alone = at(study, totals[i]);
      EXPECT_LE(together[i].epsilon, totals[i]);
      for (std::size_t j = 0; j < 4; ++j) {
        const PlannedNoise &one = together[i].statistics[j].noise[0], &other = alone.statistics[j].noise[0];
        EXPECT_NEAR(one.accuracy / other.accuracy, 1, 2e-3) << totals[i];
      }
    }
  }
}

// It tells of budgets that neither study nor catalog has.
TEST(AllocateAt, AsksNobodyForTheBudget) {
  const auto statistic = bound_statistic("a", {{"n", Count::kind, 1, 1, "50"}});
  StudyTerms terms{"0.01", "1e-7"};
  terms.catalog_epsilon = "1";
  const auto study = bound_study({statistic}, terms);
  EXPECT_FALSE(allocate(study));
  EXPECT_EQ(at(study, 2).statistics[0].noise[0].accuracy, 1);
}

}  // namespace
}  // namespace vernier::plan
