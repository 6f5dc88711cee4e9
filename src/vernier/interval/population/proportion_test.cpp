// Whether the intervals of population shares cover: exactly, by summing over all samples and all noise, and by
// simulation; and whether intervals that are known to be wrong are found out likewise.
#include "vernier/interval/population/proportion.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/population/binomial.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

using Counts = std::array<std::int64_t, 2>;  // at the lower and at the upper bound
using Method = std::function<Interval(const Counts&)>;

const MeanNodes yes_or_no = *MeanNodes::of(Basis::two, 1);
noise::ValueRange places() { return *noise::ValueRange::of(*Real::of(0), *Real::of(1)); }

template <class Law>
PopulationProportionInference<Law> inference_of(const Law& law, double alpha) {
  return *PopulationProportionInference<Law>::of(law, yes_or_no, places(), *Alpha::of(alpha), Assurance::usual,
                                                 Design{});
}

template <class Law>
Method shipped(const Law& law, double alpha) {
  return [inference = inference_of(law, alpha)](const Counts& counts) { return inference.from(counts)->interval; };
}

template <class Law>
Method without_sampling_error(const Law& law, double alpha) {
  const auto inference = MeanInference<Law>::of(law, yes_or_no, places(), *Alpha::of(alpha));
  return [inference](const Counts& counts) { return inference.from(counts)->interval; };
}

template <class Law>
Method plug_in(const Law& law, double) {
  return [v = law.variance().upper](const Counts& counts) {
    const double n = std::max(static_cast<double>(counts[0] + counts[1]), 1.0);
    const double p = std::clamp(static_cast<double>(counts[1]) / n, 0.0, 1.0);
    const double half = 1.96 * std::sqrt(p * (1 - p) / n + v * (p * p + (1 - p) * (1 - p)) / (n * n));
    return Interval{p - half, p + half};
  };
}

double binomial(std::int64_t n, double p, std::int64_t k) {
  const auto a = static_cast<double>(n), b = static_cast<double>(k);
  return std::exp(std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1)) * std::pow(p, b) *
         std::pow(1 - p, a - b);
}

// The greatest chance of a miss over numbers of rows and shares, by summing over all samples and all noise. Each pair
// of released counts has its interval computed once.
template <class Law>
double greatest_missed(const Law& law, const Method& method, const std::vector<std::int64_t>& numbers) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-5));
  std::map<Counts, Interval> known;
  const auto found = [&](const Counts& counts) {
    const auto at = known.find(counts);
    return at != known.end() ? at->second : known.emplace(counts, method(counts)).first->second;
  };
  double greatest = 0;
  for (const std::int64_t n : numbers) {
    for (const double p : {0.0, 0.01, 0.1, 0.2, 0.35, 0.5, 0.62}) {
      double sum = 2 * law.outside(reach).upper;  // what is not looked at counts as missed
      for (std::int64_t k = 0; k <= n; ++k) {
        for (std::int64_t x = -reach; x <= reach; ++x) {
          for (std::int64_t y = -reach; y <= reach; ++y) {
            if (found({n - k + x, k + y}).contains(p)) continue;
            sum += binomial(n, p, k) * law.mass(x).upper * law.mass(y).upper;
          }
        }
      }
      greatest = std::max(greatest, sum);
    }
  }
  return greatest;
}

TEST(SlowPopulationProportion, CoversAsItSaysByExactSums) {
  EXPECT_LE(greatest_missed(law_at<Geometric>(0.4), shipped(law_at<Geometric>(0.4), 0.1), {1, 2, 5, 12}), 0.1);
  EXPECT_LE(greatest_missed(law_at<DiscreteGaussian>(0.7), shipped(law_at<DiscreteGaussian>(0.7), 0.05), {1, 3, 12}),
            0.05);
}

TEST(HeavyPopulationProportion, CoversAsItSaysByExactSums) {
  for (const double alpha : {0.02, 0.05, 0.2}) {
    for (const double scale : {0.3, 0.8}) {
      const std::vector<std::int64_t> numbers{1, 2, 3, 6, 10, 25};
      EXPECT_LE(greatest_missed(law_at<Geometric>(scale), shipped(law_at<Geometric>(scale), alpha), numbers), alpha);
      EXPECT_LE(
          greatest_missed(law_at<DiscreteGaussian>(scale), shipped(law_at<DiscreteGaussian>(scale), alpha), numbers),
          alpha);
    }
  }
}

TEST(SlowPopulationProportion, IsFoundOutByExactSumsWhereItIsWrong) {
  const auto law = law_at<Geometric>(0.4);
  EXPECT_GT(greatest_missed(law, without_sampling_error(law, 0.1), {12}), 0.1);
  EXPECT_GT(greatest_missed(law, plug_in(law, 0.05), {5, 12}), 0.05);
}

template <class Law>
std::uint64_t misses(const Law& law, const Method& method, std::int64_t n, double p, std::uint64_t trials,
                     std::uint64_t seed) {
  auto source = testing::seeded_source(seed);
  testing::SeededBits bits(seed + 1'000'000);
  std::vector<std::int64_t> noise(2 * trials);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    std::int64_t k = 0;
    for (std::int64_t row = 0; row < n; ++row) k += static_cast<double>(*bits.next() >> 11) * 0x1p-53 < p ? 1 : 0;
    if (!method({n - k + noise[2 * i], k + noise[2 * i + 1]}).contains(p)) ++count;
  }
  return count;
}

template <class Law>
int refuted(const std::vector<double>& scales, const std::vector<std::int64_t>& numbers, std::uint64_t trials,
            const std::function<Method(const Law&, double)>& method_for) {
  const std::vector<double> shares{0, 0.002, 0.01, 0.1, 0.5};
  const auto cells = static_cast<double>(scales.size() * numbers.size() * shares.size());
  const auto allowed = testing::unsurprising_counts(trials, 0.05, 2e-6 / cells).greatest;
  int found = 0;
  std::uint64_t seed = 5000;
  for (const double scale : scales) {
    const Method method = method_for(law_at<Law>(scale), 0.05);
    for (const std::int64_t n : numbers) {
      for (const double p : shares) found += misses(law_at<Law>(scale), method, n, p, trials, ++seed) > allowed ? 1 : 0;
    }
  }
  return found;
}

TEST(SlowPopulationProportion, IsNowhereRefuted) {
  EXPECT_EQ(refuted<Geometric>({0.125, 1, 40}, {1, 5, 50, 500, 5000}, 30, shipped<Geometric>), 0);
  EXPECT_EQ(refuted<DiscreteGaussian>({0.8, 5, 80}, {1, 5, 50, 500, 5000}, 30, shipped<DiscreteGaussian>), 0);
}

TEST(HeavyPopulationProportion, IsNowhereRefuted) {
  EXPECT_EQ(refuted<Geometric>({0.125, 1, 10}, {1, 5, 20, 50, 500, 5000}, 150, shipped<Geometric>), 0);
  EXPECT_EQ(refuted<DiscreteGaussian>({0.8, 5, 50}, {1, 5, 20, 50, 500, 5000}, 150, shipped<DiscreteGaussian>), 0);
}

TEST(SlowPopulationProportion, LosesWithoutSamplingErrorAndWithPlugIn) {
  EXPECT_GT(refuted<Geometric>({1}, {500, 5000}, 400, without_sampling_error<Geometric>), 0);
  EXPECT_GT(refuted<Geometric>({0.125, 1}, {50, 500}, 10'000, plug_in<Geometric>), 0);
}

// Where noise is nearly all there is. (Its roundings toward safety lengthen the interval by some 5 %: a scale that is a
// tenth too small hides behind them.)
TEST(HeavyPopulationProportion, IsRefutedWithAScaleThatIsAQuarterTooSmall) {
  const auto law = law_at<Geometric>(20);
  const auto allowed = testing::unsurprising_counts(2500, 0.05, 2e-6).greatest;
  EXPECT_LE(misses(law, shipped(law, 0.05), 300, 0.5, 2500, 11), allowed);
  EXPECT_GT(misses(law, shipped(law_at<Geometric>(15), 0.05), 300, 0.5, 2500, 11), allowed);
}

// 500 rows at epsilon 1 and a share of 0.1: about 0.054, and no less than the sample alone would have, 0.0526.
TEST(PopulationProportion, IsAboutAsShortAsTheSampleAndTheNoiseAllow) {
  const PopulationInterval found = *inference_of(law_at<Geometric>(1), 0.05).from(Counts{450, 50});
  EXPECT_NEAR(found.interval.high - found.interval.low, 0.0555, 0.002);
  EXPECT_NEAR(found.value, 0.1, 0.001);
  EXPECT_TRUE(found.interval.contains(found.value));
  EXPECT_EQ(found.status, Status::proven);
  EXPECT_TRUE(found.informative);
  EXPECT_FALSE(found.may_be_empty);
}

TEST(PopulationProportion, IsMirroredWhenTheBoundsChangePlaces) {
  const auto inference = inference_of(law_at<DiscreteGaussian>(3), 0.05);
  for (const Counts& counts : {Counts{40, 7}, Counts{400, -3}, Counts{12, 11}}) {
    const PopulationInterval one_way = *inference.from(counts),
                             other_way = *inference.from(Counts{counts[1], counts[0]});
    EXPECT_NEAR(one_way.interval.low, 1 - other_way.interval.high, 1e-9);
    EXPECT_NEAR(one_way.interval.high, 1 - other_way.interval.low, 1e-9);
  }
}

TEST(PopulationProportion, IsLongerTheSmallerAlphaIs) {
  for (const double scale : {0.5, 30.0}) {
    double shorter = 0;
    for (const double alpha : {0.999, 0.5, 0.05, 1e-3, 1e-10, 1e-40}) {
      const PopulationInterval found = *inference_of(law_at<Geometric>(scale), alpha).from(Counts{70'000, 30'000});
      EXPECT_GT(found.interval.high - found.interval.low, shorter) << alpha;
      shorter = found.interval.high - found.interval.low;
    }
    EXPECT_LT(shorter, 0.5);
  }
}

TEST(PopulationProportion, SaysWhenItKnowsNothingAndRefusesWhatItCannotDo) {
  const auto law = law_at<Geometric>(1);
  const PopulationInterval none = *inference_of(law, 0.05).from(Counts{-3, 1});
  EXPECT_FALSE(none.informative);
  EXPECT_TRUE(none.may_be_empty);
  EXPECT_FALSE(inference_of(law, 0.05).from(std::vector<std::int64_t>{1}));
  using Inference = PopulationProportionInference<Geometric>;
  const Alpha alpha = *Alpha::of(0.05);
  EXPECT_FALSE(Inference::of(law, *MeanNodes::of(Basis::two, 2), places(), alpha, Assurance::usual, Design{}));
  EXPECT_FALSE(Inference::of(law, yes_or_no, places(), alpha, Assurance::usual, Design{0, 3}));
  EXPECT_FALSE(Inference::of(law, yes_or_no, places(), alpha, Assurance::usual, Design{1.5, 1}));
  // Of a sample without replacement the count is not binomial.
  const auto finite = *Inference::of(law, yes_or_no, places(), alpha, Assurance::guaranteed, Design{0.2, 1});
  EXPECT_EQ(finite.from(Counts{10, 20})->status, Status::tested);
}

TEST(BinomialBlocks, HaveAtLeastTheMassesOfTheLaw) {
  for (const double p : {0.0, 0.003, 0.4, 1.0}) {
    const BinomialBlocks found = BinomialBlocks::of(60, p, 1e-6);
    double sum = 0;
    for (const BinomialBlocks::Block& block : found.blocks) {
      EXPECT_NEAR(block.mass, binomial(60, p, static_cast<std::int64_t>(block.greatest)), 1e-7);
      sum += block.mass;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_LE(found.rest, 1e-6);
  }
}

// In blocks of many: the mean, counted at the greatest number of each block, is off by less than a block.
TEST(BinomialBlocks, AreShortAgainstTheDeviation) {
  const BinomialBlocks found = BinomialBlocks::of(1'000'000, 0.3, 1e-6);
  double mean = 0, sum = 0;
  for (const BinomialBlocks::Block& block : found.blocks) mean += block.mass * block.greatest, sum += block.mass;
  EXPECT_LT(found.blocks.size(), 900U);
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_GT(mean, 300'000);
  EXPECT_LT(mean, 300'000 + 458.0 / 64);
}

}  // namespace
}  // namespace vernier::interval
