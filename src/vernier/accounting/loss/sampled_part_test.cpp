#include "vernier/accounting/loss/sampled_part.hpp"

#include <cmath>
#include <limits>

#include <arb_hypgeom.h>
#include <gtest/gtest.h>

#include "support/exact_mixture.hpp"
#include "support/parameters.hpp"

namespace vernier::accounting {
namespace {

using mechanism::DiscreteGaussianMechanism;
using mechanism::GaussianMechanism;
using mechanism::GeometricMechanism;
using mechanism::LaplaceMechanism;
using numeric::Ball;
using privacy::SamplingRate;
using test::ExactMixture;

constexpr auto fine = ExactMixture::fine;
constexpr Direction both[] = {Direction::remove, Direction::add};

SamplingRate rate_of(double rate) { return *SamplingRate::of(rate); }

// K and phi at theta and t within their errors, and these within the tolerance.
void expect_certified(const LossPart& part, const ExactMixture& exact, double theta, double t, double tolerance) {
  const Cumulants cumulants = part.law.cumulants(theta);
  const Bounds off = (exact.cumulant(theta) - Ball::of(cumulants.value, fine)).bounds();
  EXPECT_LE(std::max(-off.lower, off.upper), cumulants.error);
  EXPECT_LE(cumulants.error, 2 * tolerance * (1 + std::abs(cumulants.value)));
  TiltedLoss tilted = part.law.tilted(theta);
  const Frequency frequency = tilted.at(t);
  EXPECT_LE(exact.distance(frequency.value, theta, t, tilted.centre()), frequency.error);
  EXPECT_LE(frequency.error, 2 * tolerance + 4e-14 * t * (tilted.spread() + std::abs(tilted.centre())));
  EXPECT_LE(std::abs(frequency.value), tilted.beyond(t) + frequency.error);
  EXPECT_LE(std::abs(frequency.value - 1.0), t * tilted.spread() + frequency.error);
  EXPECT_LE(tilted.spread(), 2 * std::sqrt(cumulants.curvature) + 1e-12);
}

// The density between the atoms by Gauss's rule with 40 nodes on many panels: an independent rule, to 1e-40.
ExactMixture exact_laplace(double rate, double sensitivity, double scale, bool remove, double theta, double t) {
  const Ball c = Ball::of(sensitivity, fine) / Ball::of(scale, fine);
  ExactMixture exact(rate, remove);
  exact.add(-c, times_power_of_two(Ball::of(1, fine), -1));
  exact.add(c, times_power_of_two(exp(-c), -1));
  const double ratio = sensitivity / scale, turns = t * std::min(1.0, 4 * rate / (1 - rate) * std::exp(ratio));
  const int panels = 2 + static_cast<int>(ratio * (turns + theta + 6) / 4), nodes = 40;
  const Ball half = c / Ball::of(panels, fine);
  arb_t root, weight;
  arb_init(root);
  arb_init(weight);
  for (int node = 0; node < nodes; ++node) {
    arb_hypgeom_legendre_p_ui_root(root, weight, nodes, static_cast<ulong>(node), fine.bits);
    const Ball x = Ball::from_raw(root, fine), share = Ball::from_raw(weight, fine);
    for (int panel = 0; panel < panels; ++panel) {
      const Ball w = -c + half * (Ball::of(2 * panel + 1, fine) + x);
      exact.add(w, half * share * times_power_of_two(exp(-times_power_of_two(c + w, -1)), -2));
    }
  }
  arb_clear(root);
  arb_clear(weight);
  return exact;
}

TEST(SlowSampledLaplace, AgreesWithManyDigitsWithinItsOwnError) {
  test::Parameters any(40);
  for (int i = 0; i < 40; ++i) {
    const double rate = i % 8 == 0 ? 1 : any.log_uniform(1e-5, 0.9), scale = any.log_uniform(0.3, 50);
    const double theta = i % 5 == 0 ? 0 : any.log_uniform(0.01, 100),
                 t = any.log_uniform(0.1, std::min(1000.0, 60 * scale));
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
      const auto release = LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *privacy::L1Sensitivity::of(1));
      const LossPart part = *sampled_part(release, rate_of(rate), direction);
      const ExactMixture exact = exact_laplace(rate, 1, scale, direction == Direction::remove, theta, t);
      expect_certified(part, exact, theta, t, 1e-14 * (1 + theta / scale));
    }
  }
}

TEST(SlowSampledLaplace, TakesFewNodesAtFarFrequenciesWhereTheRateIsSmall) {
  test::Parameters any(45);
  for (int i = 0; i < 20; ++i) {
    const double rate = any.log_uniform(1e-9, 1e-2), scale = any.log_uniform(1, 50);
    const double theta = any.log_uniform(0.01, 10), t = any.log_uniform(1, 30) / rate;
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
      const auto release = LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *privacy::L1Sensitivity::of(1));
      const LossPart part = *sampled_part(release, rate_of(rate), direction);
      const ExactMixture exact = exact_laplace(rate, 1, scale, direction == Direction::remove, theta, t);
      expect_certified(part, exact, theta, t, 1e-14 * (1 + theta / scale));
      TiltedLoss tilted = part.law.tilted(theta);
      static_cast<void>(tilted.at(t));
      static_cast<void>(tilted.at(t));  // the first time includes the building
      EXPECT_LE(tilted.cost(), 10 + 2 * t * rate);
    }
  }
}

TEST(HeavySampledLaplace, IsSoundOverItsWholeDomain) {
  test::Parameters any(44);
  for (int i = 0; i < 200; ++i) {
    const double rate = any.log_uniform(1e-9, 1), scale = any.log_uniform(0.04, 1e6);
    const double theta = any.log_uniform(0.01, 100 * scale), t = any.log_uniform(0.01, 100 * scale);
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
      const auto release = LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *privacy::L1Sensitivity::of(1));
      const LossPart part = *sampled_part(release, rate_of(rate), direction);
      const ExactMixture exact = exact_laplace(rate, 1, scale, direction == Direction::remove, theta, t);
      expect_certified(part, exact, theta, t, 1e-13 * (1 + theta / scale));
    }
  }
}

TEST(SampledLaplace, FollowsATiltThatPressesItToItsEnd) {
  const auto release = LaplaceMechanism::at_scale(*LaplaceScale::of(1), *privacy::L1Sensitivity::of(1));
  for (const Direction direction : both) {
    const LossPart part = *sampled_part(release, rate_of(0.1), direction);
    for (const double theta : {1e3, 1e6, 1e9, 1e12}) {
      const Cumulants cumulants = part.law.cumulants(theta);
      EXPECT_LE(cumulants.slope, part.law.greatest() * (1 + 1e-12));
      EXPECT_GE(cumulants.slope, part.law.greatest() * (1 - 3 / theta * 100));
      TiltedLoss tilted = part.law.tilted(theta);
      for (const double t : {0.0, 1.0, 1e4, 1e9}) {
        const Frequency frequency = tilted.at(t);
        EXPECT_LE(std::abs(frequency.value), 1 + 1e-9);
        EXPECT_LE(frequency.error, 1);
      }
    }
  }
}

ExactMixture exact_geometric(double rate, int sensitivity, double scale, bool remove) {
  const Ball a = Ball::of(1, fine) / Ball::of(scale, fine), one = Ball::of(1, fine), base = one + exp(-a);
  ExactMixture exact(rate, remove);
  exact.add(-(Ball::of(sensitivity, fine) * a), one / base);
  for (int x = 1; x < sensitivity; ++x) {
    exact.add(Ball::of(2 * x - sensitivity, fine) * a, (one - exp(-a)) / base * exp(-(Ball::of(x, fine) * a)));
  }
  exact.add(Ball::of(sensitivity, fine) * a, exp(-(Ball::of(sensitivity, fine) * a)) / base);
  return exact;
}

TEST(SampledGeometric, AgreesWithManyDigitsWithinItsOwnError) {
  test::Parameters any(41);
  for (int i = 0; i < 60; ++i) {
    const double rate = i % 8 == 0 ? 1 : any.log_uniform(1e-5, 0.9), scale = any.log_uniform(0.3, 50);
    const int sensitivity = static_cast<int>(any.log_uniform(1, 60));
    const double theta = i % 5 == 0 ? 0 : any.log_uniform(0.01, 100), t = any.log_uniform(0.1, 1e5);
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
      const auto release =
          *GeometricMechanism::at_scale(*LaplaceScale::of(scale), *privacy::IntegerSensitivity::of(sensitivity));
      const LossPart part = *sampled_part(release, rate_of(rate), direction);
      const ExactMixture exact = exact_geometric(rate, sensitivity, scale, direction == Direction::remove);
      expect_certified(part, exact, theta, t, 1e-14 * (1 + (1 + theta) * sensitivity / scale));
    }
  }
}

TEST(SampledGeometric, RefusesMoreAtomsThanItCanHold) {
  const auto release = *GeometricMechanism::at_scale(*LaplaceScale::of(1e4), *privacy::IntegerSensitivity::of(20'001));
  const auto part = sampled_part(release, rate_of(0.1), Direction::remove);
  ASSERT_FALSE(part);
  EXPECT_NE(part.error().sentence().find("20001"), std::string::npos);
}

TEST(SlowSampledDiscreteGaussian, AgreesWithManyDigitsWithinItsOwnError) {
  test::Parameters any(42);
  for (int i = 0; i < 40; ++i) {
    const double rate = i % 8 == 0 ? 1 : any.log_uniform(1e-5, 0.9), scale = any.log_uniform(0.3, 60);
    const int sensitivity = static_cast<int>(std::ceil(scale * any.log_uniform(0.01, 2)));
    const double theta = i % 5 == 0 ? 0 : any.log_uniform(0.01, 30), t = any.log_uniform(0.1, 1e4);
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << sensitivity << " " << theta << " " << t << " "
                                      << int(direction));
      const auto release =
          *DiscreteGaussianMechanism::at_scale(*Sigma::of(scale), *privacy::IntegerSensitivity::of(sensitivity));
      const LossPart part = *sampled_part(release, rate_of(rate), direction);
      const auto exact =
          test::exact_sampled_normal(rate, sensitivity, scale, direction == Direction::remove, theta, t, true);
      expect_certified(part, exact, theta, t, 2e-14 * (1 + theta * sensitivity / scale));
    }
  }
}

ExactMixture exact_response(double rate, double epsilon, double delta, bool remove) {
  const Ball e = Ball::of(epsilon, fine), one = Ball::of(1, fine), q = Ball::of(rate, fine), d = Ball::of(delta, fine);
  const bool finite_only = rate == 1;
  const Ball total = remove || finite_only ? one - q * d : one;  // of the finite losses
  ExactMixture exact(rate, remove);
  exact.add(-e, (one - d) / (one + exp(-e)) / total);
  exact.add(e, (one - d) / (one + exp(e)) / total);
  if (!finite_only && delta > 0) exact.add_log_ratio(log(one - q), d / total);
  return exact;
}

TEST(SampledStatement, AgreesWithManyDigitsWithinItsOwnError) {
  test::Parameters any(43);
  for (int i = 0; i < 60; ++i) {
    const double rate = i % 8 == 0 ? 1 : any.log_uniform(1e-5, 0.9), epsilon = any.log_uniform(0.01, 8);
    const double delta = i % 3 == 0 ? 0 : any.log_uniform(1e-12, 0.5);
    const double theta = i % 5 == 0 ? 0 : any.log_uniform(0.01, 100), t = any.log_uniform(0.1, 1e4);
    for (const Direction direction : both) {
      SCOPED_TRACE(testing::Message() << rate << " " << epsilon << " " << delta << " " << theta << " "
                                      << int(direction));
      const ApproximateStatement statement{*privacy::Epsilon::of(epsilon), *privacy::Delta::of(delta)};
      const LossPart part = *sampled_part(statement, rate_of(rate), direction);
      const bool remove = direction == Direction::remove;
      expect_certified(part, exact_response(rate, epsilon, delta, remove), theta, t, 1e-13 * (1 + theta));
      const double infinite = remove || rate == 1 ? rate * delta : 0;
      EXPECT_LE(part.infinite.lower, infinite);
      EXPECT_GE(part.infinite.upper, infinite);
      EXPECT_LE(part.infinite.upper - part.infinite.lower, 1e-15 * infinite);
    }
  }
}

TEST(SampledStatement, IsPureWithoutDelta) {
  for (const Direction direction : both) {
    const auto pure = *sampled_part(PureStatement{*privacy::Epsilon::of(0.5)}, rate_of(0.1), direction);
    const auto approximate = *sampled_part(ApproximateStatement{*privacy::Epsilon::of(0.5), privacy::Delta::zero()},
                                           rate_of(0.1), direction);
    EXPECT_EQ(pure.law.cumulants(3).value, approximate.law.cumulants(3).value);
    const double end =
        direction == Direction::remove ? std::log1p(0.1 * std::expm1(0.5)) : -std::log1p(0.1 * std::expm1(-0.5));
    EXPECT_NEAR(pure.law.greatest(), end, 1e-15);
    EXPECT_NEAR(pure.law.tilted(1e12).centre(), end, 1e-12);
  }
}

TEST(SampledPart, KnowsThatBothOfThePairAreProbabilities) {
  const auto gaussian = GaussianMechanism::at_scale(*Sigma::of(2), *privacy::L2Sensitivity::of(1));
  const auto laplace = LaplaceMechanism::at_scale(*LaplaceScale::of(0.2), *privacy::L1Sensitivity::of(1));
  const auto geometric = *GeometricMechanism::at_scale(*LaplaceScale::of(7), *privacy::IntegerSensitivity::of(20));
  const auto discrete = *DiscreteGaussianMechanism::at_scale(*Sigma::of(3), *privacy::IntegerSensitivity::of(2));
  for (const Direction direction : both) {
    for (const double rate : {1e-6, 0.03, 1.0}) {
      for (const auto& part :
           {sampled_part(gaussian, rate_of(rate), direction), sampled_part(laplace, rate_of(rate), direction),
            sampled_part(geometric, rate_of(rate), direction), sampled_part(discrete, rate_of(rate), direction)}) {
        const Cumulants none = part->law.cumulants(0);
        EXPECT_LE(std::abs(none.value), none.error);
        EXPECT_LE(none.error, 2e-14);
        EXPECT_EQ(part->times, 1);
        EXPECT_EQ(part->infinite, (Bounds{0, 0}));
      }
    }
  }
}

TEST(SampledPart, RefusesARatioOutsideOfWhatIsCertified) {
  const auto release = GaussianMechanism::at_scale(*Sigma::of(1e-5), *privacy::L2Sensitivity::of(1));
  const auto part = sampled_part(release, rate_of(0.1), Direction::add);
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().kind, ErrorKind::invalid);
  EXPECT_NE(part.error().sentence().find("between 1e-12 and 1e4"), std::string::npos);
}

}  // namespace
}  // namespace vernier::accounting
