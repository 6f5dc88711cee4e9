#include <cmath>

#include <gtest/gtest.h>

#include "support/exact_delta.hpp"
#include "support/parameters.hpp"
#include "vernier/mechanism/discrete_gaussian_curve.hpp"
#include "vernier/noise/integer_scale.hpp"

namespace vernier::mechanism {
namespace {

using test::ExactDelta;

struct Budget {
  double epsilon;
  double delta;
  std::int64_t sensitivity;
};

Result<double> scale_for(const Budget& budget) {
  return least_discrete_gaussian_scale(*privacy::Epsilon::of(budget.epsilon), *privacy::Delta::of(budget.delta),
                                       *privacy::IntegerSensitivity::of(budget.sensitivity));
}

bool satisfies(const Budget& budget, double scale) {
  return ExactDelta(scale, budget.sensitivity, budget.epsilon).at_most(budget.delta);
}

// Satisfied at the very double, and not 1e-12 below; or no scale of the domain satisfies it.
void expect_least(const Budget& budget) {
  SCOPED_TRACE(testing::Message() << budget.epsilon << " " << budget.delta << " " << budget.sensitivity);
  const Result<double> scale = scale_for(budget);
  if (!scale) {
    EXPECT_EQ(scale.error().kind, ErrorKind::invalid);
    EXPECT_FALSE(satisfies(budget, noise::greatest_integer_scale));
    return;
  }
  ASSERT_TRUE(*scale >= noise::least_integer_scale && *scale <= noise::greatest_integer_scale) << *scale;
  EXPECT_TRUE(satisfies(budget, *scale)) << *scale;
  EXPECT_FALSE(satisfies(budget, *scale * (1 - 1e-12))) << *scale;
}

Budget any_budget(test::Parameters& any, int i) {
  const double epsilon = i % 3 == 0 ? any.log_uniform(0.1, 40) : any.log_uniform(1e-10, 1e4);
  const double delta = i % 2 == 0 ? any.log_uniform(1e-300, 0.5) : any.log_uniform(1e-12, 0.5);
  const double sensitivity = i % 5 == 0 ? any.log_uniform(1, 9e15) : i % 5 == 1 ? any.uniform(1, 30) : 1;
  return {epsilon, delta, static_cast<std::int64_t>(sensitivity)};
}

TEST(SlowDiscreteGaussianCalibration, IsTightOnRandomBudgetsOfTheWholeDomain) {
  test::Parameters any(81);
  for (int i = 0; i < 1500; ++i) expect_least(any_budget(any, i));
}

TEST(HeavyDiscreteGaussianCalibration, IsTightOnManyRandomBudgets) {
  test::Parameters any(82);
  for (int i = 0; i < 100'000; ++i) expect_least(any_budget(any, i));
}

TEST(DiscreteGaussianCalibration, IsTightInTheCornersOfTheDomain) {
  for (const double epsilon : {1e-10, 0.8, std::nextafter(0.8, 1), 1e4}) {
    for (const double delta : {1e-300, 1e-9, 0.5}) {
      for (const std::int64_t sensitivity : {1L, 2L, 1000L, 12500L, 1L << 53}) {
        expect_least({epsilon, delta, sensitivity});
      }
    }
  }
}

// An independent scan: from the returned scale on no scale breaks the budget, in steps of a 60th of each stretch
// between kinks, over 12 stretches, and then more coarsely.
void expect_no_larger_scale_breaks(const Budget& budget) {
  const double scale = scale_for(budget).value();
  const auto d = static_cast<double>(budget.sensitivity);
  const double first = budget.epsilon * scale * scale / d - d / 2;
  for (int i = 0; i <= 12 * 60 + 200; ++i) {
    const double t = first + (i <= 720 ? i / 60.0 : 12 + (i - 720) * (1 + std::fabs(first)) / 20);
    const double larger = i == 0 ? scale : std::sqrt((t + d / 2) * d / budget.epsilon);
    ASSERT_TRUE(satisfies(budget, std::fmax(larger, scale)))
        << budget.epsilon << " " << budget.delta << " " << d << ": " << scale << " but not " << larger;
  }
}

TEST(SlowDiscreteGaussianCalibration, IsRobustOnAScanOfLargerScales) {
  expect_no_larger_scale_breaks({10, 0.01, 1});
  expect_no_larger_scale_breaks({3, 0.1, 1});
  expect_no_larger_scale_breaks({20, 1e-6, 1});
  expect_no_larger_scale_breaks({0.8, 0.2, 1});
  test::Parameters any(83);
  for (int i = 0; i < 25; ++i) {
    const auto sensitivity = static_cast<std::int64_t>(any.uniform(1, 6));
    const double epsilon = static_cast<double>(sensitivity) * any.log_uniform(0.5, 40);
    expect_no_larger_scale_breaks({epsilon, any.log_uniform(1e-12, 0.5), sensitivity});
  }
}

// Where delta is greatest between two kinks: with much epsilon just before the second of them. Every stretch up to
// where nothing can break the budget any more (12 of them, and then some), each at ten places; independent of the
// search.
template <class Satisfies>
int broken_by_larger_scales(const Budget& budget, double scale, const Satisfies& holds) {
  const auto d = static_cast<double>(budget.sensitivity);
  const double first = std::floor(std::fmax(budget.epsilon * scale * scale / d - d / 2, 0));
  int broken = 0;
  for (int i = 0; i < 20; ++i) {
    const double stretch = first + (i < 12 ? i : 12 + (i - 11) * std::ceil((1 + first) / 10));
    const double peak = std::sqrt((stretch + d / 2) * d / budget.epsilon);
    for (const double to_kink : {0.9, 0.6, 0.3, 4 * peak * peak / d, 2 * peak * peak / d, peak * peak / d,
                                 0.3 * peak * peak / d, 0.1, 0.03, 0.01}) {
      const double larger = std::sqrt((stretch + 1 - std::fmin(to_kink, 1) + d / 2) * d / budget.epsilon);
      if (larger > scale && !holds(budget, larger)) ++broken;
    }
  }
  return broken;
}

Budget large_budget(test::Parameters& any) {
  const auto sensitivity = static_cast<std::int64_t>(any.log_uniform(1, 12));
  return {any.log_uniform(0.8, 1e4), any.log_uniform(1e-300, 0.5), sensitivity};
}

template <class Satisfies>
void expect_robust(std::uint64_t seed, int count, const Satisfies& holds) {
  test::Parameters any(seed);
  for (int i = 0; i < count; ++i) {
    const Budget budget = large_budget(any);
    const double scale = scale_for(budget).value();
    EXPECT_EQ(broken_by_larger_scales(budget, scale, holds), 0)
        << budget.epsilon << " " << budget.delta << " " << budget.sensitivity << ": " << scale;
  }
}

// Both probes of a stretch were below all doubles, and its rise to 2.2e-110 at 0.0445 was not seen.
TEST(DiscreteGaussianCalibration, SeesRisesThatBeginBelowAllDoubles) {
  const Budget budget{750, 1e-115, 1};
  EXPECT_FALSE(satisfies(budget, 0.0445));
  const double scale = scale_for(budget).value();
  EXPECT_GT(scale, 0.0445);
  EXPECT_EQ(broken_by_larger_scales(budget, scale, satisfies), 0);
  EXPECT_GT(broken_by_larger_scales(budget, 0.02582, satisfies), 0);  // this has power
  expect_least(budget);
}

// By the certificate of every calibration, which discrete_gaussian_delta_test holds against the independent way.
bool is_certain(const Budget& budget, double scale) {
  return delta_is_at_most({scale, static_cast<double>(budget.sensitivity), budget.epsilon}, budget.delta);
}

TEST(SlowDiscreteGaussianCalibration, IsRobustWithEpsilonUpToTenThousandAndAnyDelta) {
  expect_robust(86, 40, satisfies);
  expect_robust(87, 4'000, is_certain);
}

TEST(HeavyDiscreteGaussianCalibration, IsRobustOnManyRandomBudgets) {
  expect_robust(88, 2'000, satisfies);
  expect_robust(89, 60'000, is_certain);
}

TEST(DiscreteGaussianCalibration, NeedsMoreNoiseForLessBudget) {
  test::Parameters any(84);
  for (int i = 0; i < 300; ++i) {
    const Budget budget{any.log_uniform(1e-3, 100), any.log_uniform(1e-200, 0.4), 1};
    const double scale = scale_for(budget).value();
    EXPECT_GE(scale_for({budget.epsilon, budget.delta / 1.1, 1}).value(), scale * (1 - 1e-12)) << budget.epsilon;
    EXPECT_GT(scale_for({budget.epsilon, budget.delta, 2}).value(), scale) << budget.epsilon;
  }
}

}  // namespace
}  // namespace vernier::mechanism
