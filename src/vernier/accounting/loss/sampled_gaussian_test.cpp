#include "vernier/accounting/loss/sampled_gaussian.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/exact_mixture.hpp"
#include "support/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;

using Law = NodeLaw<SampledNormalSource>;

Law normal(double rate, double sensitivity, double scale, Direction direction) {
  const auto mu = numeric::split_quotient(sensitivity, scale);
  return Law(SampledNormalSource({rate, {mu.head, mu.rest}, direction, {}}));
}

constexpr Direction both[] = {Direction::remove, Direction::add};

double cumulant_distance(const Cumulants& computed, const Ball& exact) {
  const Bounds difference = (exact - Ball::of(computed.value, test::ExactMixture::fine)).bounds();
  return std::max(-difference.lower, difference.upper);
}

TEST(SlowSampledGaussian, AgreesWithManyDigitsWithinItsOwnError) {
  test::Parameters any(20);
  for (int i = 0; i < 60; ++i) {
    const double rate = any.log_uniform(1e-4, 0.5), scale = any.log_uniform(1 / 3.0, 50), sensitivity = 1;
    const double mu = sensitivity / scale, theta = i % 5 == 0 ? 0 : any.log_uniform(0.01, 100);
    const double t = any.log_uniform(0.1, std::min(1000.0, 150 / mu));
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
      const bool remove = direction == Direction::remove;
      const auto exact = test::exact_sampled_normal(rate, sensitivity, scale, remove, theta, t, false);
      const Law law = normal(rate, sensitivity, scale, direction);
      const Cumulants cumulants = law.cumulants(theta);
      EXPECT_LE(cumulant_distance(cumulants, exact.cumulant(theta)), cumulants.error);
      EXPECT_LE(cumulants.error, 2e-14 + 3e-15 * (1 + theta) * (1 + mu) * (1 + theta * mu));
      auto tilted = law.tilted(theta);
      const Frequency frequency = tilted.at(t);
      EXPECT_LE(exact.distance(frequency.value, theta, t, tilted.centre()), frequency.error);
      EXPECT_LE(frequency.error, 3e-14 * (1 + theta * mu) + 1.3e-14 * t * tilted.spread());
      EXPECT_LE(std::abs(frequency.value), tilted.beyond(t) + frequency.error);
    }
  }
}

TEST(HeavySampledGaussian, IsSoundOverItsWholeDomain) {
  test::Parameters any(22);
  for (int i = 0; i < 400; ++i) {
    const double rate = any.log_uniform(1e-9, 1), scale = any.log_uniform(0.05, 1e6), mu = 1 / scale;
    const double theta = any.log_uniform(0.01, 200 / mu), t = any.log_uniform(0.01, 200 / mu);
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
      const auto exact = test::exact_sampled_normal(rate, 1, scale, direction == Direction::remove, theta, t, false);
      const Law law = normal(rate, 1, scale, direction);
      const Cumulants cumulants = law.cumulants(theta);
      EXPECT_LE(cumulant_distance(cumulants, exact.cumulant(theta)), cumulants.error);
      EXPECT_LE(cumulants.error, 1e-10 * (1 + cumulants.value));
      auto tilted = law.tilted(theta);
      const Frequency frequency = tilted.at(t);
      EXPECT_LE(exact.distance(frequency.value, theta, t, tilted.centre()), frequency.error);
      EXPECT_LE(frequency.error, 1e-8);
      EXPECT_LE(std::abs(frequency.value), tilted.beyond(t) + frequency.error);
      EXPECT_LE(std::abs(frequency.value - 1.0), t * tilted.spread() + frequency.error);
    }
  }
}

TEST(SlowSampledGaussian, HoldsAtTheEndsOfItsDomain) {
  struct Case {
    double rate, sensitivity, scale, theta, t;
  };
  for (const Case& at : {Case{1e-9, 1, 1, 3, 2},
                         {1e-9, 1, 0.25, 8, 30},
                         {1, 1, 2, 4, 7},
                         {0.999, 1, 1, 2, 3},
                         {0.3, 1, 0.02, 1.5, 0.2},
                         {0.01, 1e-6, 1, 1000, 1e6},
                         {0.01, 1, 1, 3000, 100},
                         {0.5, 1, 5, 1e5, 3e3},
                         {1e-3, 1, 1, 6.6, 5},
                         {0.01, 1, 4, 160, 5}}) {
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << at.rate << " " << at.scale << " " << at.theta << " " << int(direction));
      const bool remove = direction == Direction::remove;
      if (remove && at.theta > 1e4) continue;  // the referee is too slow there
      const auto exact = test::exact_sampled_normal(at.rate, at.sensitivity, at.scale, remove, at.theta, at.t, false);
      const Law law = normal(at.rate, at.sensitivity, at.scale, direction);
      const Cumulants cumulants = law.cumulants(at.theta);
      EXPECT_LE(cumulant_distance(cumulants, exact.cumulant(at.theta)), cumulants.error);
      auto tilted = law.tilted(at.theta);
      const Frequency frequency = tilted.at(at.t);
      EXPECT_LE(exact.distance(frequency.value, at.theta, at.t, tilted.centre()), frequency.error);
      EXPECT_LE(frequency.error, 1e-8);
      EXPECT_LE(std::abs(frequency.value), tilted.beyond(at.t) + frequency.error);
    }
  }
}

TEST(SampledGaussian, IsTheGaussianItselfAtRateOne) {
  for (const Direction direction : both) {
    const Law law = normal(1, 1, 2, direction);
    for (const double theta : {0.0, 0.7, 20.0, 400.0}) {
      const double exact = (theta + theta * theta) / 8;
      const Cumulants cumulants = law.cumulants(theta);
      EXPECT_NEAR(cumulants.value, exact, cumulants.error);
      EXPECT_LE(cumulants.error, 3e-14 * (1 + exact));
      EXPECT_NEAR(cumulants.slope, (1 + 2 * theta) / 8, 1e-9 * (1 + theta));
      auto tilted = law.tilted(theta);
      for (const double t : {0.0, 0.5, 3.0, 9.0}) {
        const Frequency frequency = tilted.at(t);
        const double turned = t * (cumulants.slope - tilted.centre());
        EXPECT_LE(std::abs(frequency.value - std::exp(std::complex<double>(-t * t / 8, turned))),
                  frequency.error + 1e-9 * t * (1 + theta));
      }
    }
  }
}

TEST(SampledGaussian, KnowsThatBothOfThePairAreProbabilities) {
  for (const auto& [rate, scale] : {std::pair{0.01, 1.0}, {0.4, 0.3}, {1e-6, 10.0}}) {
    for (const Direction direction : both) {
      const Law law = normal(rate, 1, scale, direction);
      const Cumulants none = law.cumulants(0), back = law.cumulants(-1);  // E_P[1], E_P[e^-L] = E_Q[1]
      EXPECT_LE(std::abs(none.value), none.error);
      EXPECT_LE(std::abs(back.value), back.error);
    }
  }
}

// Remove and add mirror each other: E_P[e^(theta L)] of one is E_P[e^(-(1 + theta) L)] of the other.
TEST(SampledGaussian, MirrorsItsDirections) {
  for (const double theta : {0.0, 1.5, 30.0}) {
    const Cumulants remove = normal(0.02, 1, 1.3, Direction::remove).cumulants(theta);
    const Cumulants add = normal(0.02, 1, 1.3, Direction::add).cumulants(-1 - theta);
    EXPECT_NEAR(remove.value, add.value, remove.error + add.error);
  }
}

TEST(SampledGaussian, TellsItsSpreadAndWhereItEnds) {
  test::Parameters any(21);
  for (int i = 0; i < 60; ++i) {
    const double rate = any.log_uniform(1e-5, 1), scale = any.log_uniform(0.1, 100), theta = any.log_uniform(0.1, 50);
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << int(direction));
      const Law law = normal(rate, 1, scale, direction);
      auto tilted = law.tilted(theta);
      const double deviation = std::sqrt(law.cumulants(theta).curvature);
      EXPECT_LE(tilted.spread(), 1.2 * deviation);
      // abs(phi(t) - 1) <= t E abs(L - centre), and nearly so for small t where the loss is not too lopsided
      for (const double t : {0.001 / deviation, 0.03 / deviation}) {
        const Frequency frequency = tilted.at(t);
        EXPECT_LE(std::abs(frequency.value - 1.0), t * tilted.spread() + frequency.error);
      }
      EXPECT_LE(tilted.beyond(1e300), 1e-200);
    }
  }
  EXPECT_TRUE(std::isinf(normal(0.01, 1, 1, Direction::remove).greatest()));
  EXPECT_GE(normal(0.01, 1, 1, Direction::add).greatest(), -std::log1p(-0.01));
  EXPECT_LE(normal(0.01, 1, 1, Direction::add).greatest(), -std::log1p(-0.01) * (1 + 1e-15));
}

TEST(SampledGaussian, BoundsWhatLiesBeyondAFrequency) {
  for (const auto& [rate, scale, theta] :
       {std::tuple{0.01, 1.0, 5.0}, {0.2, 3.0, 40.0}, {1e-3, 1.0, 6.6}, {0.01, 0.5, 0.5}}) {
    for (const Direction direction : both) {
      auto tilted = normal(rate, 1, scale, direction).tilted(theta);
      for (double t = 1; t < 3000; t *= 1.37) {
        const Frequency frequency = tilted.at(t);
        EXPECT_LE(std::abs(frequency.value) - frequency.error, tilted.beyond(t)) << rate << " " << theta << " " << t;
      }
    }
  }
}

TEST(SampledGaussian, GivesUpOnFrequenciesThatNeedTooManyNodesButOnNoOthers) {
  const double scale = 1e6, log_total = std::log(scale * std::sqrt(2 * std::numbers::pi));
  auto tilted = Law(SampledNormalSource({0.01, {1, 0}, Direction::remove, scale, log_total, 1e-14})).tilted(5);
  const Frequency before = tilted.at(3), far = tilted.at(1e12), after = tilted.at(3);
  EXPECT_EQ(far.error, 1);
  EXPECT_EQ(far.value, 0.0);
  EXPECT_LE(before.error, 1e-13);
  EXPECT_EQ(after.value, before.value);
}

TEST(SampledGaussian, ComesBackFromFarFrequencies) {
  auto tilted = normal(0.01, 1, 1, Direction::remove).tilted(5);
  const Frequency before = tilted.at(3), far = tilted.at(1e9), after = tilted.at(3);
  EXPECT_LE(far.error, 1e-12);
  EXPECT_EQ(after.value, before.value);
}

TEST(SampledGaussian, IsNeverNaNWhateverTheTilt) {
  for (const double theta : {1e6, 1e9, 1e12}) {
    for (const double scale : {1e6, 1.0, 0.02}) {
      for (const Direction direction : both) {
        const Law law = normal(0.01, 1, scale, direction);
        EXPECT_FALSE(std::isnan(law.cumulants(theta).error));
        auto tilted = law.tilted(theta);
        for (const double t : {0.0, 1.0, 1e6}) {
          const Frequency frequency = tilted.at(t);
          EXPECT_LE(std::abs(frequency.value), 1 + 1e-9);
          EXPECT_LE(frequency.error, 1);
          EXPECT_LE(tilted.beyond(t), 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
