// Counts: what is told as 0 below 0. Everything is compared with the numbers that are published.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/denoise/estimators.hpp"
#include "vernier/denoise/experiment.hpp"

namespace vernier::denoise {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Released = std::vector<std::int64_t>;

double square_error(const std::vector<double>& values, const Released& truth) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double off = std::max(values[i], 0.0) - static_cast<double>(truth[i]);
    sum += off * off;
  }
  return sum;
}

// Means over columns with the same truth: errors over the variance and the number of cells.
struct Seen {
  ErrorMean error, published, above;  // above: error less that of the published numbers of the same column
  double greatest_told = 0;           // of what replaces them, over that of what is published

  double ratio() const { return error.mean() / published.mean(); }
};

template <class Law>
Seen seen(Choice choice, const Law& law, const Released& truth, int columns, int seed = 23) {
  auto source = testing::seeded_source(seed);
  const noise::IntegerSampler<Law> sampler(law);
  const double unit = law.variance().upper * static_cast<double>(truth.size());
  Seen all;
  Released released(truth.size());
  for (int i = 0; i < columns; ++i) {
    EXPECT_TRUE(sampler.fill(source, released));
    for (std::size_t k = 0; k < truth.size(); ++k) released[k] += truth[k];
    const Denoised found = denoised(released, law, choice, Floor::zero);
    const double error = square_error(found.values, truth) / unit;
    const double published = square_error({released.begin(), released.end()}, truth) / unit;
    all.error.add(error);
    all.published.add(published);
    all.above.add(error - published);
    const double told = risk_over_published(found);
    if (found.method != Method::raw) all.greatest_told = std::max(all.greatest_told, told);
  }
  return all;
}

// `cells` cells of which `large` have the first count and the others the second.
Released two_counts(std::size_t cells, std::size_t large, std::int64_t first, std::int64_t second) {
  Released truth(cells, second);
  std::fill_n(truth.begin(), large, first);
  return truth;
}

const std::vector<Released> shapes{{21, 21, 0, 0, 0},        {25, 0, 25, 0, 25},
                                   {5, 5, 5, 5, 100},        {0, 0, 0, 0, 0},
                                   {0, 0, 0, 100, 200, 300}, {30, 30, 30, 30},
                                   {12, 12, 12, 12, 0},      {60, 0, 0, 0, 0},
                                   {9, 3, 0, 3, 9, 15, 40},  {20, 20, 20, 20, 20, 20, 20, 20}};

template <class Law>
void expect_dominated(double scale) {
  for (const Released& truth : shapes) {
    const Seen found = seen(Choice::james_stein, law_at<Law>(scale), truth, 4000);
    EXPECT_LT(found.above.mean(), 5 * found.above.standard_error()) << scale << " " << truth[0] << " " << truth[1];
  }
}

TEST(DenoiseCounts, AreNearerThanPublishedOnesByJamesStein) {
  for (const double scale : {0.6, 3.0, 10.0}) {
    expect_dominated<Geometric>(scale);
    expect_dominated<DiscreteGaussian>(scale);
  }
  EXPECT_FALSE(HasFailure());
}

// Towards the mean they are not: it lies beyond 0 for those that were cut there.
TEST(DenoiseCounts, AreFurtherAwayForSomeTowardsTheMean) {
  const auto law = law_at<Geometric>(10);
  auto source = testing::seeded_source(29);
  const noise::IntegerSampler<Geometric> sampler(law);
  const Released truth{5, 5, 5, 5, 100};
  ErrorMean above;
  Released released(truth.size());
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(sampler.fill(source, released));
    for (std::size_t k = 0; k < truth.size(); ++k) released[k] += truth[k];
    const std::vector<double> numbers(released.begin(), released.end());
    const Shrunk found = shrunk_to_mean(numbers, law.variance().upper);
    above.add(square_error(found.values, truth) - square_error(numbers, truth));
  }
  EXPECT_GT(above.mean(), 5 * above.standard_error());
}

TEST(DenoiseCounts, AreNotReplacedByWhatIsEstimatedToBeNoNearer) {
  for (const Choice choice : {Choice::james_stein, Choice::soft_threshold, Choice::least_risk}) {
    for (const Released& truth : shapes) {
      const Seen found = seen(choice, law_at<Geometric>(10), truth, 300);
      EXPECT_LE(found.greatest_told, 1) << name_of(choice) << " " << truth[0];
    }
  }
}

// ---- estimates, against what they are of

template <class Law>
void expect_unbiased_threshold(double scale, double allowed) {
  const Law law = law_at<Law>(scale);
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-18));
  for (const std::int64_t truth : {0, 1, 7, 40}) {
    for (const double t : {0.0, 1.0, 3.0, 20.0}) {
      double estimate = 0, loss = 0;
      for (std::int64_t x = -reach; x <= reach; ++x) {
        const std::vector<double> number{static_cast<double>(truth + x)};
        const double off = soft_thresholded(number, t, Side::above).front() - static_cast<double>(truth);
        estimate += law.mass(x).upper * ThresholdRisk<Law>(number, law, Side::above).at(t);
        loss += law.mass(x).upper * off * off / law.variance().upper;
      }
      EXPECT_NEAR(estimate, loss, allowed * (1 + loss)) << scale << " " << truth << " " << t;
    }
  }
}

TEST(DenoiseCounts, HaveAnEstimateOfTheRiskOfAThreshold) {
  for (const double scale : {0.4, 1.0, 7.07, 30.0}) expect_unbiased_threshold<Geometric>(scale, 1e-10);
  for (const auto& [scale, allowed] : {std::pair{2.0, 3e-3}, {10.0, 5e-6}})
    expect_unbiased_threshold<DiscreteGaussian>(scale, allowed);
  EXPECT_FALSE(HasFailure());
}

TEST(DenoiseCounts, HaveAThresholdOfNothingThatIsWhatIsPublished) {
  const std::vector<double> numbers{-12, 3, 0, 44, -1, 1, 90};
  for (const double scale : {2.0, 10.0}) {
    const auto geometric = law_at<Geometric>(scale);
    const auto gaussian = law_at<DiscreteGaussian>(scale);
    EXPECT_NEAR(ThresholdRisk(numbers, geometric, Side::above).at(0), risk_from_zero(numbers, geometric), 1e-12);
    EXPECT_NEAR(ThresholdRisk(numbers, gaussian, Side::above).at(0), risk_from_zero(numbers, gaussian), 1e-12);
    EXPECT_LE(ThresholdRisk(numbers, geometric, Side::above).least().risk, risk_from_zero(numbers, geometric) + 1e-12);
  }
}

using Cut = Shrunk (*)(std::span<const double>, double);

// The change of risk, on average over columns, is that of the error.
void expect_unbiased(Cut cut, const Released& truth) {
  const auto law = law_at<DiscreteGaussian>(10);
  auto source = testing::seeded_source(31);
  const noise::IntegerSampler<DiscreteGaussian> sampler(law);
  const double unit = law.variance().upper * static_cast<double>(truth.size());
  ErrorMean off, low;
  Released released(truth.size());
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(sampler.fill(source, released));
    for (std::size_t k = 0; k < truth.size(); ++k) released[k] += truth[k];
    const std::vector<double> numbers(released.begin(), released.end());
    const Shrunk found = cut(numbers, law.variance().upper);
    const double change = (square_error(found.values, truth) - square_error(numbers, truth)) / unit;
    off.add(found.risk - change);
    low.add(found.risk - 0.05 - change);
  }
  EXPECT_LT(std::abs(off.mean()), 6 * off.standard_error()) << truth[0] << " " << truth[1];
  EXPECT_GT(std::abs(low.mean()), 6 * low.standard_error());
}

TEST(DenoiseCounts, HaveAnEstimateOfWhatShrinkageChanges) {
  for (const Cut cut : {Cut(cut_to_zero), Cut(cut_to_mean), Cut(cut_to_least)}) {
    for (const Released& truth :
         {Released{21, 21, 0, 0, 0}, {30, 30, 30, 30}, {0, 0, 0, 0, 0, 0}, {9, 3, 0, 3, 9, 15, 40}})
      expect_unbiased(cut, truth);
  }
}

TEST(DenoiseCounts, AreMovedTowardsTheLeastThatIsAboveZero) {
  EXPECT_EQ(cut_to_least(std::vector<double>{-5, 10, 20, 3}, 1).values, (std::vector<double>{0, 10, 20, 3}));
  const Shrunk found = cut_to_least(std::vector<double>{-5, 10, 20, 12, 10}, 1);  // k = 4, s = 104
  const double factor = 1 - 1.0 / 104;
  ASSERT_EQ(found.values.size(), 5U);
  EXPECT_EQ(found.values[0], 0);
  EXPECT_EQ(found.values[1], 10);
  EXPECT_NEAR(found.values[2], 10 + 10 * factor, 1e-12);
  EXPECT_NEAR(found.risk, -1.0 / 104 / 5, 1e-12);  // Stein: (k-3)^2 / s less
  EXPECT_EQ(cut_to_least(std::vector<double>{7, 7, 7, 7}, 1).values, (std::vector<double>{7, 7, 7, 7}));
}

// ---- what the others do: a search over two counts, as warnings tell it

struct Worst {
  double ratio = 0;
  Released truth;
};

template <class Law>
Worst worst(Choice choice, const Law& law, int columns) {
  const double sigma = std::sqrt(law.variance().upper);
  Worst found;
  for (const std::size_t cells : {4U, 5U, 8U, 20U}) {
    for (std::size_t large = 1; large <= cells; large += (cells + 7) / 8) {
      for (const double high : {1.0, 1.5, 2.0, 3.0}) {
        for (const double low : {0.0, 0.6}) {
          const Released truth = two_counts(cells, large, std::llround(high * sigma), std::llround(low * sigma));
          const double ratio = seen(choice, law, truth, columns).ratio();
          if (ratio > found.ratio) found = {ratio, truth};
        }
      }
    }
  }
  found.ratio = seen(choice, law, found.truth, 40 * columns, 91).ratio();  // not the luckiest of many
  return found;
}

TEST(HeavyDenoiseCounts, AreNowhereFurtherAwayThanWarningsSay) {
  for (const auto& [choice, most] :
       {std::pair{Choice::soft_threshold, 1.5}, {Choice::least_risk, 1.3}, {Choice::james_stein, 1.0}}) {
    for (const Worst& one :
         {worst(choice, law_at<Geometric>(10), 500), worst(choice, law_at<DiscreteGaussian>(10), 500)}) {
      EXPECT_LE(one.ratio, most) << name_of(choice) << " of " << one.truth.size() << " cells, " << one.truth.front()
                                 << " in " << std::count(one.truth.begin(), one.truth.end(), one.truth.front())
                                 << ", then " << one.truth.back();
    }
  }
}

}  // namespace
}  // namespace vernier::denoise
