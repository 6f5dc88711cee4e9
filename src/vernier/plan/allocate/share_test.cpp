#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/plan/allocate/planned.hpp"

namespace vernier::plan {
namespace {

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

// The sum of p ln(p / q) over the integers.
template <class Law>
double direct_loss(const Law& law, std::int64_t shift) {
  const auto middle = [](Bounds bounds) { return (bounds.lower + bounds.upper) / 2; };
  const auto reach = static_cast<std::int64_t>(15 * law.scale()) + 15 + shift;
  double sum = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    const double p = middle(law.mass(x)), q = middle(law.mass(x - shift));
    if (p > 0 && q > 0) sum += p * std::log(p / q);
  }
  return sum;
}

TEST(ExpectedLoss, IsTheSumOverAllOutcomes) {
  for (const auto& [scale, shift] : {std::pair{1.0, 1}, {0.7, 3}, {9.0, 1}, {20.0, 30}, {12.0, 100}}) {
    EXPECT_NEAR(expected_loss(geometric(scale), shift) / direct_loss(geometric(scale), shift), 1, 1e-4);
    EXPECT_NEAR(expected_loss(gaussian(scale), shift) / direct_loss(gaussian(scale), shift), 1, 1e-6);
  }
}

// On both sides of the place where the formula changes.
TEST(ExpectedLoss, IsSmoothWhereItIsSmall) {
  for (const double moved : {0.99e-4, 1.01e-4}) {
    EXPECT_NEAR(expected_loss(geometric(1e6 / moved), 1'000'000) / (moved * moved / 2), 1, 1e-3) << moved;
  }
}

NoiseItem item(std::int64_t shift, std::int64_t coordinates) { return {shift, coordinates, {}, false, std::nullopt}; }

TEST(Shares, AddUpToOneByWhatEachCosts) {
  const std::vector<NoiseItem> items = {item(1, 1), item(1, 4), item(2, 1)};
  const std::vector<Law> laws(3, gaussian(10));
  const auto delta = *privacy::Delta::of(1e-6);
  const auto shares = shares_of(items, laws, privacy::Neighbours::add_remove, delta);
  EXPECT_NEAR(shares[0], 1.0 / 9, 1e-12);
  EXPECT_NEAR(shares[1], 4.0 / 9, 1e-12);
  EXPECT_NEAR(shares[2], 4.0 / 9, 1e-12);
}

TEST(Shares, AreThoseOfEpsilonAtDeltaZero) {
  const std::vector<NoiseItem> items = {item(1, 1), item(2, 3)};
  const std::vector<Law> laws(2, geometric(10));
  const auto shares = shares_of(items, laws, privacy::Neighbours::add_remove, privacy::Delta::zero());
  EXPECT_NEAR(shares[0], 1.0 / 7, 1e-12);
  EXPECT_NEAR(shares[1], 6.0 / 7, 1e-12);
}

// A key counts for each group that it may be in, twice where units are replaced.
TEST(Shares, CountTheKeysThatAUnitTouches) {
  const std::vector<NoiseItem> items = {item(1, 1), {1, 1, {}, false, KeyTerms{3, 1e-8}}};
  const std::vector<Law> laws(2, geometric(10));
  const auto delta = *privacy::Delta::of(1e-6);
  EXPECT_NEAR(shares_of(items, laws, privacy::Neighbours::add_remove, delta)[1], 0.75, 1e-12);
  EXPECT_NEAR(shares_of(items, laws, privacy::Neighbours::replace, delta)[1], 6.0 / 7, 1e-12);
}

}  // namespace
}  // namespace vernier::plan
