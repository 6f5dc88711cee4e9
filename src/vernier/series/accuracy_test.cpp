#include "vernier/series/accuracy.hpp"

#include <chrono>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "vernier/numeric/normal.hpp"

namespace vernier::series {
namespace {

const Alpha usual = Alpha::of(0.05).value();

// The error in units of the noise that one number would need.
double worst(const Design& design, Kind kind) { return design.sensitivity() * design.of(kind).greatest_length(); }
double mean(const Design& design, Kind kind) { return design.sensitivity() * std::sqrt(design.of(kind).mean_square()); }

// No matrix has a smaller mean error of running sums: the sum of the singular values of the prefix matrix over n.
double least_mean(std::size_t steps) {
  double sum = 0;
  const auto n = static_cast<double>(steps);
  for (std::size_t k = 1; k <= steps; ++k)
    sum += 0.5 / std::sin((2 * static_cast<double>(k) - 1) * std::numbers::pi / (4 * n + 2));
  return sum / n;
}

TEST(SeriesAccuracy, IsNearTheBoundThatNoMatrixBeats) {
  EXPECT_NEAR(least_mean(1024), 2.9096, 1e-4);
  EXPECT_LE(mean(design_of({50, true}, 1024, {1, 1}, 7).value(), Kind::cumulative) / least_mean(1024), 1.03);
  EXPECT_LE(mean(design_of({50, true}, 256, {1, 1}, 7).value(), Kind::cumulative) / 2.5250, 1.015);  // a dense optimum
}

TEST(SeriesAccuracy, ChoosesByHowOftenAUnitTakesPart) {
  const Targets sums{.cumulative = 1};
  const Design often = best_design(sums, 365, {30, 1}, 7).value();
  EXPECT_LE(worst(often, Kind::cumulative), 60.5);
  EXPECT_NEAR(worst(design_of({50, false}, 365, {30, 1}, 7).value(), Kind::cumulative), 67.1, 0.1);
  EXPECT_NEAR(worst(design_of({0, false}, 365, {30, 1}, 7).value(), Kind::cumulative), 104.6, 0.1);
  EXPECT_EQ(best_design(sums, 365, {365, 1}, 7)->family.percent, 0);
  EXPECT_EQ(best_design({.each = 1}, 365, {1, 1}, 7)->family.percent, 0);
  EXPECT_TRUE(best_design(sums, 365, {1, 1}, 7)->family.is_normalised);
}

TEST(SeriesAccuracy, IsKnownOfEveryKindAtP03) {
  const Design design = design_of({30, false}, 365, {1, 1}, 7).value();
  EXPECT_NEAR(worst(design, Kind::each), 1.196, 2e-3);
  EXPECT_NEAR(worst(design, Kind::last), 2.077, 2e-3);
  EXPECT_NEAR(worst(design, Kind::cumulative), 4.44, 1e-2);
  EXPECT_NEAR(mean(design, Kind::cumulative), 3.74, 1e-2);
}

TEST(SeriesAccuracy, MeetsEveryTargetAndOneOfThemJust) {
  const Targets targets{.each = 25, .last = 40, .cumulative = 60};
  for (const Participation& one : {Participation{1, 1}, {4, 1}, {12, 30}}) {
    const Design design = best_design(targets, 365, one, 7).value();
    const auto law = law_at(scale_for(design, targets, usual, 1'000'000'000).value()).value();
    const Reaches reaches(design, spread_of(law, 365), usual, 1'000'000'000);
    double nearest = 0;
    for (const Kind kind : all_kinds) {
      EXPECT_LE(reaches.greatest(kind), *targets.of(kind));
      nearest = std::max(nearest, reaches.greatest(kind) / *targets.of(kind));
    }
    EXPECT_GE(nearest, 0.9999);
  }
}

TEST(SeriesAccuracy, NeedsLittleMoreThanTheNormalReach) {
  const double normal = numeric::normal_upper_point(std::log(0.025));
  for (const double scale : {1024.0, 4096.0, 1e6}) {
    EXPECT_GE(reach_factor(scale, 1024, usual) / (normal * scale), 1);
    EXPECT_LE(reach_factor(scale, 1024, usual) / (normal * scale), 1.01);
  }
}

TEST(SeriesAccuracy, RefusesWhatNoNoiseMeets) {
  const Design design = best_design({.each = 1}, 10, {1, 1}, 7).value();
  EXPECT_FALSE(scale_for(design, {.each = 0.1}, usual, 1000).has_value());
  EXPECT_FALSE(scale_for(design, {.each = 1e13}, usual, 1000).has_value());
}

TEST(SeriesAccuracy, IsPlannedInMilliseconds) {
  const auto begin = std::chrono::steady_clock::now();
  design_of({50, true}, 256, {1, 1}, 7).value();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LE(taken.count(), 1.0);  // milliseconds by itself; a crowded machine has its time
}

}  // namespace
}  // namespace vernier::series
