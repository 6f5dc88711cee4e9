#include "vernier/interval/population/count.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;

constexpr double alpha = 0.05;

Design sampled(double part) { return {part, 1}; }

template <class Law>
class PopulationCount : public ::testing::Test {
 protected:
  static PopulationCountInference<Law> inference(double scale, double part, double level = alpha) {
    return *PopulationCountInference<Law>::of(law_at<Law>(scale), *Alpha::of(level), sampled(part));
  }
};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(PopulationCount, Laws);

double binomial_mass(std::int64_t n, std::int64_t k, double p) {
  if (p == 1) return k == n ? 1 : 0;
  const auto of = [](std::int64_t x) { return std::lgamma(static_cast<double>(x) + 1); };
  return std::exp(of(n) - of(k) - of(n - k) + static_cast<double>(k) * std::log(p) +
                  static_cast<double>(n - k) * std::log1p(-p));
}

// The chance that the interval misses, by summing over all numbers drawn and all noise.
template <class Law>
double missed(const PopulationCountInference<Law>& inference, const Law& law, std::int64_t members, double part) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-7));
  double sum = law.outside(reach).upper;
  for (std::int64_t released = -reach; released <= members + reach; ++released) {
    if (inference.from(released)->interval.contains(static_cast<double>(members))) continue;
    for (std::int64_t drawn = 0; drawn <= members; ++drawn) {
      if (std::abs(released - drawn) > reach) continue;
      sum += binomial_mass(members, drawn, part) * law.mass(released - drawn).upper;
    }
  }
  return sum;
}

TYPED_TEST(PopulationCount, CoversByExactSums) {
  double worst = 0;
  for (const double scale : {0.4, 2.0}) {
    for (const double part : {0.1, 0.5, 0.97, 1.0}) {
      const auto inference = this->inference(scale, part);
      for (const std::int64_t members : {0, 1, 3, 10, 40}) {
        const double miss = missed(inference, law_at<TypeParam>(scale), members, part);
        EXPECT_LE(miss, alpha) << "scale " << scale << " part " << part << " members " << members;
        worst = std::max(worst, miss);
      }
    }
  }
  EXPECT_GT(worst, 0.6 * alpha);  // a lattice leaves something
}

TYPED_TEST(PopulationCount, IsRefutedByExactSumsWhereTheNoiseIsATenthLarger) {
  EXPECT_LE(missed(this->inference(6, 0.9), law_at<TypeParam>(6), 60, 0.9), alpha);
  EXPECT_GT(missed(this->inference(6, 0.9), law_at<TypeParam>(6.6), 60, 0.9), alpha);
}

TYPED_TEST(PopulationCount, OfAllMembersIsTheIntervalOfTheRows) {
  const auto law = law_at<TypeParam>(7);
  const std::int64_t a = *additive_accuracy(law, *Alpha::of(alpha));
  const PopulationInterval found = *this->inference(7, 1).from(500);
  EXPECT_EQ(found.interval.low, 500 - static_cast<double>(a));
  EXPECT_EQ(found.interval.high, 500 + static_cast<double>(a));
  EXPECT_EQ(found.value, 500);
}

TYPED_TEST(PopulationCount, HasTheStandardErrorOfSamplingAndNoiseTogether) {
  const PopulationInterval found = *this->inference(20, 0.1).from(10'000);
  const double deviation = std::sqrt(10'000 * 0.9 + law_at<TypeParam>(20).variance().upper) / 0.1;
  EXPECT_EQ(found.value, 100'000);
  EXPECT_NEAR(found.interval.high - found.interval.low, 2 * 1.96 * deviation, 0.02 * 2 * 1.96 * deviation);
  EXPECT_EQ(found.status, Status::proven);
  EXPECT_FALSE(found.may_be_empty);
}

// Where the binomial law is no longer summed.
TYPED_TEST(PopulationCount, KeepsItsMeaningForVeryManyMembers) {
  const auto inference = this->inference(20, 0.5);
  const PopulationInterval summed = *inference.from(10'000'000'000), bounded = *inference.from(30'000'000'000);
  EXPECT_NEAR(summed.interval.high - summed.interval.low, 4 * 1.96 * std::sqrt(5e9), 0.02 * 4 * 1.96 * std::sqrt(5e9));
  EXPECT_TRUE(bounded.interval.contains(6e10));
  EXPECT_GT(bounded.interval.high - bounded.interval.low, 4 * 1.96 * std::sqrt(15e9));
  EXPECT_LT(bounded.interval.high - bounded.interval.low, 4 * 3.1 * std::sqrt(15e9));
}

TYPED_TEST(PopulationCount, IsNeverEmptyAndNeverNegative) {
  for (const std::int64_t released : {std::int64_t{-1'000'000}, std::int64_t{-50}, std::int64_t{0}, std::int64_t{3}}) {
    const PopulationInterval found = *this->inference(10, 0.2).from(released);
    EXPECT_EQ(found.interval.low, 0);
    EXPECT_GE(found.interval.high, 10);
    EXPECT_GE(found.value, 0);
    EXPECT_TRUE(found.may_be_empty);
    EXPECT_GE(found.value + found.accuracy, found.interval.high);
  }
  EXPECT_FALSE(this->inference(10, 0.2).from(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(this->inference(10, 0.2).from(std::numeric_limits<std::int64_t>::min()));
}

TYPED_TEST(PopulationCount, NeedsToKnowThePartThatWasDrawn) {
  for (const double part : {0.0, -0.1, 1.1, std::nan("")}) {
    EXPECT_FALSE(PopulationCountInference<TypeParam>::of(law_at<TypeParam>(1), *Alpha::of(alpha), sampled(part)));
  }
}

// ---- by simulation

struct Mutant {
  bool leaves_sampling = false;  // released +- accuracy, divided by the part
};

template <class Law>
std::uint64_t misses(double scale, std::int64_t members, double part, const Mutant& mutant, std::uint64_t trials) {
  const Law law = law_at<Law>(scale);
  const auto inference = *PopulationCountInference<Law>::of(law, *Alpha::of(alpha), sampled(part));
  const auto accuracy = static_cast<double>(*additive_accuracy(law, *Alpha::of(alpha)));
  auto source = vernier::testing::seeded_source(static_cast<std::uint64_t>(members) + 3);
  std::mt19937_64 random(static_cast<std::uint64_t>(members));
  std::binomial_distribution<std::int64_t> draw(members, part);
  std::vector<std::int64_t> noise(trials);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  std::uint64_t count = 0;
  for (const std::int64_t x : noise) {
    const std::int64_t released = draw(random) + x;
    const auto at = static_cast<double>(released);
    const Interval found = mutant.leaves_sampling ? Interval{(at - accuracy) / part, (at + accuracy) / part}
                                                  : inference.from(released)->interval;
    if (!found.contains(static_cast<double>(members))) ++count;
  }
  return count;
}

template <class Law>
int refuted(const Mutant& mutant, std::uint64_t trials) {
  const auto allowed = vernier::testing::unsurprising_counts(trials, alpha, 2 * 1e-6 / 27).greatest;
  int found = 0;
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    for (const double part : {0.01, 0.3, 0.9}) {
      for (const std::int64_t members : {10, 300, 20'000}) {
        if (misses<Law>(1 / epsilon, members, part, mutant, trials) > allowed) ++found;
      }
    }
  }
  return found;
}

template <class Law>
class SlowPopulationCountCoverage : public ::testing::Test {};
TYPED_TEST_SUITE(SlowPopulationCountCoverage, Laws);
template <class Law>
class HeavyPopulationCountCoverage : public ::testing::Test {};
TYPED_TEST_SUITE(HeavyPopulationCountCoverage, Laws);

TYPED_TEST(SlowPopulationCountCoverage, IsNowhereRefutedWhereMutantsAre) {
  EXPECT_EQ(refuted<TypeParam>({}, 60), 0);
  EXPECT_GT(refuted<TypeParam>({.leaves_sampling = true}, 60), 0);
}

TYPED_TEST(HeavyPopulationCountCoverage, IsNowhereRefuted) { EXPECT_EQ(refuted<TypeParam>({}, 800), 0); }

}  // namespace
}  // namespace vernier::interval
