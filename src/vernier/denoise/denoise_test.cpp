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
    const Denoised column = denoised(Released{3, -1, 0}, law_at<Geometric>(10), choice);
    EXPECT_EQ(column.values, (std::vector<double>{3, -1, 0}));
    EXPECT_EQ(column.method, Method::raw);
    EXPECT_EQ(column.risks.size(), 1u);
  }
  EXPECT_TRUE(denoised(Released{}, law_at<Geometric>(10), Choice::least_risk).values.empty());
}

TEST(Denoise, TellsNoRiskBelowZero) {
  for (const Choice choice : {Choice::least_risk, Choice::james_stein, Choice::soft_threshold}) {
    const Denoised column = denoised(Released(40, 0), law_at<Geometric>(10), choice, Floor::zero);
    for (const Risk& risk : column.risks) EXPECT_GE(risk.estimate, 0);
    EXPECT_GE(risk_over_published(column), 0);
  }
}

// Half of the noise below 0 is cut off where a count is 0: the published number has half of the raw one's error there,
// and all of it far from 0.
template <class Law>
double mean_published_risk(const Law& law, std::int64_t truth) {
  auto source = testing::seeded_source(5);
  const noise::IntegerSampler<Law> sampler(law);
  Released released(200'000);
  EXPECT_TRUE(sampler.fill(source, released));
  for (std::int64_t& number : released) number += truth;
  return denoised(released, law, Choice::james_stein, Floor::zero).published_risk;
}

TEST(Denoise, EstimatesTheRiskOfWhatIsPublished) {
  EXPECT_NEAR(mean_published_risk(law_at<Geometric>(10), 0), 0.5, 0.01);
  EXPECT_NEAR(mean_published_risk(law_at<DiscreteGaussian>(10), 0), 0.5, 0.01);
  EXPECT_NEAR(mean_published_risk(law_at<Geometric>(10), 1000), 1, 1e-9);
  const double q = std::exp(-0.1), variance = 2 * q / ((1 - q) * (1 - q));
  double cut = 0;  // E max(y, 0)'s own error at 10, by summing
  for (std::int64_t x = -400; x <= 400; ++x) {
    const double error = static_cast<double>(std::max<std::int64_t>(10 + x, 0) - 10);
    cut += law_at<Geometric>(10).mass(x).upper * error * error / variance;
  }
  EXPECT_NEAR(mean_published_risk(law_at<Geometric>(10), 10), cut, 0.01);
}

TEST(Denoise, SaysOfOneChoiceAloneThatItDominates) {
  EXPECT_EQ(merit_of(Choice::james_stein), Merit::dominates);
  for (const Choice choice : {Choice::least_risk, Choice::soft_threshold, Choice::universal_threshold}) {
    EXPECT_EQ(merit_of(choice), Merit::may_harm);
  }
  EXPECT_EQ(name_of(Merit::may_harm), "may-harm");
}

// Five cells at 21 and -21, scale 10: soft thresholds have 1.2 of the numbers' own error, and what has the least
// estimated risk more than 1, too. James-Stein's, which is told to dominate, has less there and for other truths.
template <class Law>
ErrorMean above_raw(Choice choice, const Law& law, const Released& truth, int columns) {
  auto source = testing::seeded_source(17);
  std::vector<Contender> contenders{contender(choice, law)};
  const Truth<testing::SeededBits> fixed = [&](auto&) { return truth; };
  EXPECT_TRUE(simulate(fixed, law, columns, source, contenders));
  return contenders.front().above_raw;
}

TEST(Denoise, HarmsSomeColumnsByThresholdsAndNoneByJamesStein) {
  const Geometric law = law_at<Geometric>(10);
  const Released far{21, -21, 21, -21, 21};
  EXPECT_GT(above_raw(Choice::soft_threshold, law, far, 20'000).mean(), 0.1);
  EXPECT_GT(above_raw(Choice::least_risk, law, far, 20'000).mean(), 0.02);
  for (const double scale : {0.6, 3.0, 10.0}) {
    for (const Released& truth :
         {far, Released{0, 0, 0, 0, 0}, {60, 0, 0, 0, 0}, {30, 30, 0, 0, 0, 0}, {-9, -3, 0, 3, 9}}) {
      const ErrorMean geometric = above_raw(Choice::james_stein, law_at<Geometric>(scale), truth, 4000);
      EXPECT_LT(geometric.mean(), 5 * geometric.standard_error());
      const ErrorMean gaussian = above_raw(Choice::james_stein, law_at<DiscreteGaussian>(scale), truth, 4000);
      EXPECT_LT(gaussian.mean(), 5 * gaussian.standard_error());
    }
  }
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
