// Measured by the processor's clock; three times what is promised.
#include <ctime>

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic, test::bound_study, test::Parameters, test::with_private_keys;

constexpr double promised = 1;  // second
constexpr double allowance = 3;

template <class Work>
double seconds_of(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// No two alike: every one has a shift, copies and a weight of its own.
TEST(SlowAllocate, PlansTwoHundredStatisticsInASecond) {
  Parameters any(631);
  const auto study = bound_study(test::any_statistics(any, 200, false), {"1", "1e-7"});
  const double taken = seconds_of([&] { EXPECT_TRUE(allocate(study)); });
  RecordProperty("seconds", std::to_string(taken));
  EXPECT_LT(taken, promised * allowance);
}

TEST(SlowAllocate, PlansTwoHundredStatisticsWithTargetsInASecond) {
  std::vector<BoundStatistic> statistics;
  for (int i = 0; i < 200; ++i) {
    statistics.push_back(bound_statistic("s", {{"n", Count::kind, 1, 1, std::to_string(2000 + i)},
                                               {"m", Mean::kind, 90'000, 2, std::to_string(50'000 + i)}}));
  }
  const auto study = bound_study(std::move(statistics), {});
  const double taken = seconds_of([&] { EXPECT_TRUE(allocate(study)); });
  RecordProperty("seconds", std::to_string(taken));
  EXPECT_LT(taken, promised * allowance);
}

TEST(SlowAllocate, PlansTwoHundredPrivateKeysInASecond) {
  std::vector<BoundStatistic> statistics;
  for (int i = 0; i < 200; ++i) {
    statistics.push_back(
        with_private_keys(bound_statistic("s", {{"", Units::kind}, {"m", Mean::kind, 90'000 + i, 2}}), 1 + i % 7));
  }
  const auto study = bound_study(std::move(statistics), {"1", "1e-7"});
  const double taken = seconds_of([&] { EXPECT_TRUE(allocate(study)); });
  RecordProperty("seconds", std::to_string(taken));
  EXPECT_LT(taken, promised * allowance);
}

TEST(SlowAllocate, ShowsSixBudgetsInASecond) {
  Parameters any(632);
  const auto study = bound_study(test::any_statistics(any, 200, false), {"1", "1e-7"});
  const double taken = seconds_of([&] { EXPECT_TRUE(allocate_at(study, test::epsilons({0.5, 1, 1.5, 2, 2.5, 3}))); });
  RecordProperty("seconds", std::to_string(taken));
  EXPECT_LT(taken, promised * allowance);
}

}  // namespace
}  // namespace vernier::plan
