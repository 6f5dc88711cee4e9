#include "vernier/interval/rows/mean.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/parameters.hpp"

namespace vernier::interval {
namespace {

using Sums = std::vector<std::int64_t>;

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }
noise::ValueRange bounds(double lower, double upper) {
  return *noise::ValueRange::of(*Real::of(lower), *Real::of(upper));
}
MeanNodes nodes_of(Basis basis, std::int64_t steps) { return *MeanNodes::of(basis, steps); }

// The exact node sums of n rows at k.
Sums sums(const MeanNodes& nodes, std::int64_t n, std::int64_t k) {
  const auto row = nodes.row(k);
  Sums found;
  for (std::size_t i = 0; i < nodes.count(); ++i) found.push_back(n * row[i]);
  return found;
}

template <class Law>
MeanInterval mean_of(const Law& law, const MeanNodes& nodes, double alpha, const Sums& released) {
  return *MeanInference<Law>::of(law, nodes, bounds(-1, 1), *Alpha::of(alpha)).from(released);
}

Sums any_sums(test::Parameters& any, const MeanNodes& nodes, double scale) {
  Sums found;
  for (std::size_t i = 0; i < nodes.count(); ++i) {
    const double size = any.uniform(-5, 5) + any.log_uniform(0.01, 1e4);
    found.push_back(static_cast<std::int64_t>(size * scale));
  }
  return found;
}

TEST(Mean, LiesInItsIntervalAndTheIntervalInTheBounds) {
  test::Parameters any(71);
  int informative = 0;
  for (int i = 0; i < 600; ++i) {
    const MeanNodes nodes = nodes_of(i % 3 == 0 ? Basis::two : i % 3 == 1 ? Basis::bernstein : Basis::lagrange, 1000);
    const double scale = any.log_uniform(0.1, 1e9);
    const auto inference =
        MeanInference<noise::Geometric>::of(geometric(scale), nodes, bounds(-3, 1e5), *Alpha::of(0.05));
    const MeanInterval found = *inference.from(any_sums(any, nodes, scale));
    EXPECT_TRUE(found.interval.contains(found.value));
    EXPECT_GE(found.accuracy, found.value - found.interval.low);
    EXPECT_GE(found.accuracy, found.interval.high - found.value);
    EXPECT_LE(found.accuracy, found.interval.high - found.interval.low);
    EXPECT_GE(found.interval.low, -3);
    EXPECT_LE(found.interval.high, 1e5);
    EXPECT_EQ(found.informative, found.interval.low > -3 || found.interval.high < 1e5);
    informative += found.informative ? 1 : 0;
  }
  EXPECT_GT(informative, 200);
  EXPECT_LT(informative, 600);
}

template <class Law>
void expect_mirrored(const Law& law, Basis basis, test::Parameters& any) {
  const MeanNodes nodes = nodes_of(basis, 100);
  const Sums released = any_sums(any, nodes, law.scale());
  const MeanInterval one_way = mean_of(law, nodes, 0.05, released);
  const MeanInterval other_way = mean_of(law, nodes, 0.05, Sums(released.rbegin(), released.rend()));
  EXPECT_NEAR(one_way.value, -other_way.value, 1e-12);
  EXPECT_NEAR(one_way.interval.low, -other_way.interval.high, 1e-12);
  EXPECT_NEAR(one_way.interval.high, -other_way.interval.low, 1e-12);
}

TEST(Mean, IsMirroredWhenTheBoundsChangePlaces) {
  test::Parameters any(72);
  for (int i = 0; i < 100; ++i) {
    for (const double scale : {3.0, 1e5}) {
      expect_mirrored(geometric(scale), Basis::two, any);
      expect_mirrored(gaussian(scale), Basis::two, any);
      expect_mirrored(geometric(scale), Basis::bernstein, any);
      expect_mirrored(gaussian(scale), Basis::lagrange, any);
    }
  }
  EXPECT_FALSE(HasFailure());
}

TEST(Mean, HasAShorterIntervalAtALargerAlpha) {
  test::Parameters any(73);
  const MeanNodes nodes = nodes_of(Basis::two, 100);
  for (const double scale : {3.0, 1e5}) {
    for (int i = 0; i < 100; ++i) {
      const Sums released = any_sums(any, nodes, scale);
      Interval wider{-1, 1};
      for (const double alpha : {1e-6, 0.001, 0.01, 0.05, 0.2, 0.5}) {
        const Interval found = mean_of(geometric(scale), nodes, alpha, released).interval;
        const double slack = 1e-3 * (wider.high - wider.low);  // of the cells
        EXPECT_GE(found.low, wider.low - slack) << alpha << " " << scale << " " << released[0] << " " << released[1];
        EXPECT_LE(found.high, wider.high + slack) << alpha << " " << scale << " " << released[0] << " " << released[1];
        wider = found;
      }
    }
  }
}

// Half width times n epsilon at r = 0, 0.5, 1 (there the distance of the lower end), 95 %: 4.11, 4.67, 5.99 for two
// sums, 4.11, 4.85, 6.55 for three with geometric noise; 14.1, 16.6, 22.4 for three with sigma 5.087 rows.
template <class Law>
void expect_half_widths(const Law& law, const MeanNodes& nodes, const std::array<double, 3>& expected) {
  constexpr std::int64_t n = 1'000'000;
  for (std::size_t i = 0; i < 3; ++i) {
    const double r = static_cast<double>(i) / 2;
    const auto k = static_cast<std::int64_t>(static_cast<double>(nodes.steps()) * (1 + r) / 2);
    const MeanInterval found = mean_of(law, nodes, 0.05, sums(nodes, n, k));
    const double half = i < 2 ? (found.interval.high - found.interval.low) / 2 : r - found.interval.low;
    EXPECT_NEAR(half * static_cast<double>(n) / expected[i], 1, 0.01) << r;
    EXPECT_NEAR(found.value, r, 1e-9);
  }
}

TEST(Mean, IsAsSharpAsTheLawsOverTheRealsAllow) {
  expect_half_widths(geometric(1000), nodes_of(Basis::two, 1000), {4.11, 4.67, 5.99});
  expect_half_widths(geometric(1e6), nodes_of(Basis::bernstein, 1000), {4.11, 4.85, 6.55});
  expect_half_widths(gaussian(5.087e6), nodes_of(Basis::lagrange, 1000), {14.1, 16.6, 22.3});
  EXPECT_FALSE(HasFailure());
}

// On a coarse lattice nothing is lost either: shares of yes and no, with noise of scale 20.
TEST(Mean, IsSharpOnACoarseLattice) {
  expect_half_widths(geometric(20), nodes_of(Basis::two, 20), {4.11, 4.67, 5.99});
  EXPECT_FALSE(HasFailure());
}

TEST(Mean, SaysWhenItKnowsNothing) {
  const MeanNodes nodes = nodes_of(Basis::two, 100);
  const MeanInterval none = mean_of(geometric(1000), nodes, 0.05, {0, 0});
  EXPECT_FALSE(none.informative);
  EXPECT_TRUE(none.may_be_empty);
  EXPECT_EQ(none.interval.low, -1);
  EXPECT_EQ(none.interval.high, 1);
  EXPECT_EQ(none.value, 0);
  EXPECT_FALSE(mean_of(geometric(3), nodes, 0.05, {-11, 4}).informative);  // a total below 0 tells nothing
  const MeanInterval many = mean_of(geometric(1000), nodes, 0.05, {1'000'000, 1'000'000});
  EXPECT_TRUE(many.informative);
  EXPECT_FALSE(many.may_be_empty);
  EXPECT_EQ(name_of(many.status), "proven");
}

// A = 150, B = 50, t = 200, v = 2 * 20000: 100 * 200 / (200^2 + v) = 0.25, where the ratio would be 0.5.
TEST(Mean, HasAValueThatIsShrunkenByTheNoise) {
  const MeanNodes nodes = nodes_of(Basis::two, 100);
  EXPECT_NEAR(mean_of(geometric(100), nodes, 0.05, {50, 150}).value, 0.25, 1e-5);
  EXPECT_NEAR(mean_of(gaussian(100 * std::sqrt(2)), nodes, 0.05, {50, 150}).value, 0.25, 1e-5);
  EXPECT_NEAR(mean_of(geometric(100), nodes, 0.05, {-50, 200}).value, 0.5, 1e-5);  // B = 0: 200^2 / (200^2 + v)
}

// A mean at its bound: the noise may push every number of [-1, 1] out of the set, and the interval keeps a length.
TEST(Mean, KeepsALengthBeyondTheBound) {
  const MeanNodes nodes = nodes_of(Basis::two, 100);
  const MeanInterval found = mean_of(geometric(100), nodes, 0.05, {-2000, 100'000});
  EXPECT_EQ(found.interval.high, 1);
  EXPECT_NEAR(1 - found.interval.low, 2 * 100 * std::log(20) / 98'000, 2e-4);
  EXPECT_TRUE(found.informative);
}

TEST(Mean, TakesSumsOfAnySize) {
  constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const MeanNodes nodes = nodes_of(Basis::bernstein, 1 << 20);
  for (const double scale : {1e-3, 1.0, 1e12}) {
    for (const Sums& released : {Sums{greatest, greatest, greatest}, Sums{least, least, least},
                                 Sums{greatest, 0, least}, Sums{0, greatest, 0}, Sums{least, 0, 0}}) {
      const MeanInterval found = mean_of(geometric(scale), nodes, 0.05, released);
      EXPECT_TRUE(found.interval.contains(found.value));
      EXPECT_LE(-1, found.interval.low);
      EXPECT_LE(found.interval.high, 1);
    }
  }
}

TEST(Mean, TakesBoundsOfAnySize) {
  const MeanNodes nodes = nodes_of(Basis::two, 10);
  constexpr double greatest = std::numeric_limits<double>::max();
  const auto inference =
      MeanInference<noise::Geometric>::of(geometric(1), nodes, bounds(-greatest, greatest), *Alpha::of(0.05));
  const Sums few{0, 1}, many{100'000, 300'000};
  EXPECT_EQ(inference.from(few)->interval.high, greatest);
  EXPECT_NEAR(inference.from(many)->value / greatest, 0.5, 1e-6);
  EXPECT_LE(inference.from(many)->interval.low, 0.5 * greatest);
}

TEST(Mean, RefusesAWrongNumberOfSums) {
  const auto inference =
      MeanInference<noise::Geometric>::of(geometric(1), nodes_of(Basis::two, 10), bounds(0, 1), *Alpha::of(0.05));
  const Sums three{1, 2, 3};
  EXPECT_EQ(inference.from(three).error().sentence(), "a mean needs one released sum per node, 2, but there are 3");
}

}  // namespace
}  // namespace vernier::interval
