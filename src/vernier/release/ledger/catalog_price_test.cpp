#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"

// What a plan costs a ledger.
namespace vernier::release {
namespace {

using test::bound_statistic, test::bound_study;

ledger::Rules rules_for(const plan::Plan& plan) {
  const query::Budget& budget = plan.study.catalog.budget;
  return ledger::rules_of({ledger::Accountant::zcdp, budget.epsilon, budget.delta, plan.study.neighbours}).value();
}

plan::Plan plan_of(const std::vector<test::NoisyColumn>& columns, const std::string& epsilon) {
  return plan::allocate(bound_study({bound_statistic("a", columns)}, test::StudyTerms{epsilon, "1e-7", "3", "1e-6"}))
      .value();
}

// Ten of these would use up a delta that none of them needs.
TEST(CatalogPrice, TakesNoDeltaForNoiseThatNeedsNone) {
  for (const char* const epsilon : {"0.1", "0.3", "1"}) {
    const plan::Plan plan = plan_of({{"n"}}, epsilon);
    const ledger::Rules rules = rules_for(plan);
    const ledger::Cost total = price_of(plan, rules).value().total;
    EXPECT_EQ(total.delta, 0) << epsilon;
    EXPECT_LE(total.epsilon, rules.quanta.spend(test::decimal(epsilon), test::decimal("0")).epsilon);
    EXPECT_GT(static_cast<double>(total.epsilon),
              0.999 * static_cast<double>(rules.quanta.spend(test::decimal(epsilon), test::decimal("0")).epsilon));
  }
}

// The delta of a study is taken where it buys something.
TEST(CatalogPrice, TakesTheDeltaOfGaussianNoise) {
  const plan::Plan plan = plan_of(std::vector<test::NoisyColumn>(30, {"n", plan::Sum::kind, 100}), "0.1");
  EXPECT_GT(price_of(plan, rules_for(plan)).value().total.delta, 0);
}

}  // namespace
}  // namespace vernier::release
