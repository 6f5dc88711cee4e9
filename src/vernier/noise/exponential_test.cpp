#include "vernier/noise/exponential.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::noise {
namespace {

Exponential law_of(double scale) { return *Exponential::of(*LaplaceScale::of(scale)); }
Probability chance(double p) { return *Probability::of(p); }

// What a choice with one candidate at distance 0 and all others at d is at most.
double far_chance(double scale, std::int64_t candidates, std::int64_t d) {
  const long double far =
      static_cast<long double>(candidates - 1) * std::exp(-static_cast<long double>(d) / (2 * scale));
  return static_cast<double>(far / (1 + far));
}

TEST(Exponential, HasTheLeastDistanceThatIsRareWhateverTheDistances) {
  for (const double scale : {1e-3, 0.5, 3.0, 1e3, 1e6}) {
    for (const std::int64_t candidates : {std::int64_t{2}, std::int64_t{1000}, std::int64_t{1} << 40}) {
      for (const double tau : {1e-6, 0.05, 0.3}) {
        const std::int64_t d = *law_of(scale).distance_quantile(candidates, chance(tau));
        EXPECT_LE(far_chance(scale, candidates, d), tau * (1 + 1e-12)) << scale << ' ' << candidates << ' ' << tau;
        if (d > 1) {
          EXPECT_GT(far_chance(scale, candidates, d - 1), tau) << scale << ' ' << candidates << ' ' << tau;
        }
      }
    }
  }
}

TEST(Exponential, GivesTheScaleBackFromADistance) {
  for (const std::int64_t distance : {1, 2, 57, 1'000'000}) {
    for (const std::int64_t candidates : {std::int64_t{1000}, std::int64_t{1} << 40}) {
      const double scale = Exponential::scale_for(distance, candidates, chance(0.05));
      EXPECT_LE(*law_of(scale).distance_quantile(candidates, chance(0.05)), distance);
      EXPECT_GT(*law_of(scale * (1 + 1e-6)).distance_quantile(candidates, chance(0.05)), distance);
    }
  }
}

TEST(Exponential, KeepsAScaleForADistanceWithinItsRange) {
  EXPECT_EQ(Exponential::scale_for(std::int64_t{1} << 60, 1000, chance(0.05)), greatest_integer_scale);
  EXPECT_EQ(Exponential::scale_for(5, 2, chance(0.9)), greatest_integer_scale);  // rare at any distance
  EXPECT_GE(Exponential::scale_for(1, std::int64_t{1} << 53, chance(1e-300)), least_integer_scale);
}

TEST(Exponential, RefusesWhatIsNoChoice) {
  EXPECT_FALSE(Exponential::of(*LaplaceScale::of(1e-4)));
  EXPECT_FALSE(Exponential::of(*LaplaceScale::of(1e13)));
  EXPECT_FALSE(law_of(1).distance_quantile(1, chance(0.5)));
  EXPECT_FALSE(law_of(1).distance_quantile((std::int64_t{1} << 53) + 1, chance(0.5)));
  EXPECT_FALSE(law_of(1).distance_quantile(10, chance(0)));
  EXPECT_FALSE(law_of(1).distance_quantile(10, chance(1)));
}

}  // namespace
}  // namespace vernier::noise
