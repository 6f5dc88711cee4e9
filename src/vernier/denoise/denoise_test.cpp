#include "vernier/denoise/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/denoise/experiment.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Released = std::vector<std::int64_t>;

double estimate_of(const Denoised& column, Method method) {
  for (const Risk& risk : column.risks) {
    if (risk.method == method) return risk.estimate;
  }
  return HUGE_VAL;
}

TEST(Denoise, LeavesFewNumbersAsTheyAre) {
  for (const Choice choice : {Choice::least_risk, Choice::james_stein, Choice::soft_threshold}) {
    const Denoised column = denoised(Released{3, -1, 0, 2}, law_at<Geometric>(10), choice);
    EXPECT_EQ(column.values, (std::vector<double>{3, -1, 0, 2}));
    EXPECT_EQ(column.method, Method::raw);
    EXPECT_EQ(column.risks.size(), 1u);
  }
  EXPECT_TRUE(denoised(Released{}, law_at<Geometric>(10), Choice::least_risk).values.empty());
}

TEST(Denoise, PicksWhatIsLeastAmongTheEstimates) {
  Released alike, sparse, wide;
  for (int i = 0; i < 200; ++i) {
    const auto ripple = std::llround(10 * std::sin(2.3 * i));
    alike.push_back(500 + ripple);
    sparse.push_back(i % 20 == 0 ? 900 + ripple : ripple);
    wide.push_back(100000 * (i % 13) * (i % 2 == 0 ? 1 : -1) + ripple);
  }
  const auto law = law_at<DiscreteGaussian>(10);
  EXPECT_EQ(denoised(alike, law, Choice::least_risk).method, Method::james_stein_to_mean);
  EXPECT_EQ(denoised(sparse, law, Choice::least_risk).method, Method::soft_threshold);
  for (const Released& released : {alike, sparse, wide}) {
    const Denoised column = denoised(released, law, Choice::least_risk);
    ASSERT_EQ(column.risks.size(), 4u);
    EXPECT_EQ(column.risks.front().method, Method::raw);
    EXPECT_EQ(column.risks.front().estimate, 1);
    for (const Risk& risk : column.risks) EXPECT_LE(estimate_of(column, column.method), risk.estimate);
  }
}

TEST(Denoise, ReturnsTheValuesOfTheMethodItNames) {
  const Released released{30, 4, -12, 7, 55, 0, 3};
  const auto law = law_at<Geometric>(8);
  for (const Choice choice :
       {Choice::least_risk, Choice::james_stein, Choice::soft_threshold, Choice::universal_threshold}) {
    const Denoised column = denoised(released, law, choice);
    const Denoised same = denoised_by(column.method, released, law);
    EXPECT_EQ(column.values, same.values) << name_of(choice);
    EXPECT_EQ(column.threshold, same.threshold);
    EXPECT_EQ(column.values.size(), released.size());
  }
  EXPECT_EQ(denoised(released, law, Choice::soft_threshold).method, Method::soft_threshold);
  EXPECT_NEAR(denoised(released, law, Choice::universal_threshold).threshold,
              std::sqrt(2 * law.variance().upper * std::log(7)), 1e-9);
}

TEST(Denoise, NamesAreThoseOfStudiesAndReports) {
  EXPECT_EQ(name_of(Choice::least_risk), "least-risk");
  EXPECT_EQ(name_of(Choice::james_stein), "james-stein");
  EXPECT_EQ(name_of(Choice::soft_threshold), "soft-threshold");
  EXPECT_EQ(name_of(Choice::universal_threshold), "universal-threshold");
  EXPECT_EQ(name_of(Method::raw), "raw");
  EXPECT_EQ(name_of(Method::james_stein_to_zero), "james-stein-to-zero");
  EXPECT_EQ(name_of(Method::james_stein_to_mean), "james-stein-to-mean");
  EXPECT_EQ(name_of(Method::soft_threshold), "soft-threshold");
  EXPECT_EQ(name_of(Method::universal_threshold), "universal-threshold");
}

TEST(Denoise, PutsAValueIntoItsRawInterval) {
  EXPECT_EQ(within(3.4, {0, 10}, Kind::real), 3.4);
  EXPECT_EQ(within(3.4, {0, 10}, Kind::whole), 3);
  EXPECT_EQ(within(-3.4, {0, 10}, Kind::real), 0);
  EXPECT_EQ(within(99, {0, 10}, Kind::whole), 10);
  EXPECT_EQ(within(10.4, {0, 10}, Kind::whole), 10);
  EXPECT_EQ(within(-0.2, {-5, 10}, Kind::whole), 0);
}

// ---- one cell at 8 sigma among 199 empty ones: what an interval around its shrunken value would cover

struct Trial {
  int missed_by_raw = 0, missed_by_naive = 0, left = 0;
};

template <class Law>
Trial outlying_cell(const Law& law, std::int64_t far, Choice choice, int trials) {
  const std::int64_t accuracy = *law.two_sided_quantile(*Probability::of(0.05));
  const noise::IntegerSampler<Law> sampler(law);
  auto source = testing::seeded_source(9);
  Trial found;
  Released released(200);
  for (int i = 0; i < trials; ++i) {
    EXPECT_TRUE(sampler.fill(source, released));
    released[0] += far;
    const Range raw{released[0] - accuracy, released[0] + accuracy};
    const double value = denoised(released, law, choice).values[0];
    const double kept = within(value, raw, Kind::real);
    found.missed_by_raw += raw.low > far || far > raw.high;
    found.missed_by_naive += std::abs(value - static_cast<double>(far)) > static_cast<double>(accuracy);
    found.left += kept < static_cast<double>(raw.low) || kept > static_cast<double>(raw.high);
  }
  return found;
}

template <class Law>
void expect_only_raw_covers(const Law& law, std::int64_t far) {
  constexpr int trials = 2000;
  const Trial found = outlying_cell(law, far, Choice::james_stein, trials);
  EXPECT_LE(trials - found.missed_by_naive, 2);  // it covers 0.000 or 0.001
  EXPECT_EQ(found.left, 0);
  const auto most = testing::unsurprising_counts(trials, 0.05, testing::false_alarm).greatest;
  EXPECT_LE(static_cast<std::uint64_t>(found.missed_by_raw), most);
}

TEST(Denoise, KeepsTheRawIntervalSinceOneAroundAShrunkenValueCoversNothing) {
  expect_only_raw_covers(law_at<DiscreteGaussian>(10), 80);
  expect_only_raw_covers(law_at<Geometric>(10 / std::sqrt(2)), 80);
}

TEST(Denoise, KeepsTheOrderOfLongColumns) {
  Released released(200000);
  std::iota(released.begin(), released.end(), -100000);
  const Denoised column = denoised(released, law_at<Geometric>(50), Choice::least_risk);
  EXPECT_TRUE(std::ranges::is_sorted(column.values));
}

}  // namespace
}  // namespace vernier::denoise
