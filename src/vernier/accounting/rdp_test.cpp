#include "vernier/accounting/rdp.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accounting/optimal.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

RenyiCurve gaussian(double rho) {
  return [rho](double order) { return numeric::multiply_up(order, rho); };
}

// n randomised responses of epsilon: n ln((e^(a e) + e^((1 - a) e)) / (1 + e^e)) / (a - 1), and a little more.
RenyiCurve responses(double epsilon, double n) {
  return [=](double order) {
    const double top = order * epsilon + std::log1p(std::exp((1 - 2 * order) * epsilon));
    return n * (top - epsilon - std::log1p(std::exp(-epsilon))) / (order - 1) * (1 + 1e-9) + 1e-12;
  };
}

TEST(Rdp, IsTheTightConversionForACurveThatIsAStraightLine) {
  test::Parameters any(531);
  for (int i = 0; i < 300; ++i) {
    const double rho = any.log_uniform(1e-6, 100), delta = any.log_uniform(1e-30, 0.1);
    const double epsilon = *zcdp_epsilon(rho, delta);
    const RdpFigure found = *rdp_epsilon(gaussian(rho), delta);
    EXPECT_GE(found.figure, epsilon * (1 - 1e-9)) << rho << " " << delta;
    EXPECT_LE(found.figure, epsilon * (1 + 1e-9)) << rho << " " << delta;
    if (epsilon == 0) continue;
    const RdpFigure back = rdp_delta(gaussian(rho), epsilon);
    EXPECT_GE(back.figure, zcdp_delta(rho, epsilon) * (1 - 1e-9));
    EXPECT_LE(back.figure, zcdp_delta(rho, epsilon) * (1 + 1e-9));
  }
}

TEST(Rdp, UsesListedOrdersAloneWhereNothingIsKnownBetween) {
  const RenyiOrders few{{2, 8, 32}, false};
  int asked_elsewhere = 0;
  const RenyiCurve curve = [&](double order) {
    asked_elsewhere += order != 2 && order != 8 && order != 32;
    return 0.2 * order;
  };
  const RdpFigure found = *rdp_epsilon(curve, 1e-6, few);
  EXPECT_EQ(asked_elsewhere, 0);
  EXPECT_EQ(found.order, 8);
  EXPECT_GT(found.figure, *zcdp_epsilon(0.2, 1e-6));
  EXPECT_EQ(rdp_delta(curve, found.figure, few).order, 8);
  EXPECT_NEAR(rdp_delta(curve, found.figure, few).figure, 1e-6, 1e-15);
}

TEST(Rdp, IsNeverBelowTheExactComposition) {
  test::Parameters any(532);
  for (int i = 0; i < 100; ++i) {
    const double epsilon = any.log_uniform(1e-3, 2), n = std::floor(any.log_uniform(1, 1e4));
    const double delta = any.log_uniform(1e-12, 0.1);
    const auto optimal = OptimalComposition::of(std::vector{Statement{{epsilon, epsilon}, 0, n}});
    const RdpFigure found = *rdp_epsilon(responses(epsilon, n), delta);
    EXPECT_GE(found.figure, optimal->epsilon(delta)->lower);
    EXPECT_LE(found.figure, 2 * optimal->epsilon(delta)->upper + 0.1 + epsilon * 1e-6);
    EXPECT_GE(rdp_delta(responses(epsilon, n), found.figure).figure, optimal->delta(found.figure).lower);
  }
}

TEST(Rdp, PassesOverOrdersAtWhichNothingIsKnown) {
  const RenyiCurve curve = [](double order) { return order > 4 ? infinity : 0.3 * order; };
  const RdpFigure found = *rdp_epsilon(curve, 1e-9);
  EXPECT_LE(found.order, 4);
  EXPECT_GE(found.order, 3.5);
  EXPECT_TRUE(std::isfinite(found.figure));
  EXPECT_EQ(rdp_delta([](double) { return infinity; }, 1).figure, 1);
  const auto nothing = rdp_epsilon([](double) { return infinity; }, 1e-6);
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().sentence().find("no Rényi order"), std::string::npos);
}

TEST(Rdp, RefusesDeltaZeroAndNeedsNothingForDeltaOne) {
  const auto refused = rdp_epsilon(gaussian(1), 0);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("at delta 0"), std::string::npos);
  EXPECT_EQ(rdp_epsilon(gaussian(1), 1)->figure, 0);
}

TEST(Rdp, HasADenseListOfOrders) {
  const std::vector<double> orders = usual_orders();
  EXPECT_EQ(orders.front(), 1.01);
  EXPECT_GE(orders.back(), 1e6);
  for (std::size_t i = 1; i < orders.size(); ++i) EXPECT_LE(orders[i] - 1, 1.21 * (orders[i - 1] - 1));
}

}  // namespace
}  // namespace vernier::accounting
