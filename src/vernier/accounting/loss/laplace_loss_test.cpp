#include "vernier/accounting/loss/laplace_loss.hpp"

#include <cmath>

#include <acb_calc.h>
#include <gtest/gtest.h>

#include "support/loss_checks.hpp"
#include "support/parameters.hpp"

namespace vernier::accounting {
namespace {

LossLaw laplace(double scale, double sensitivity) {
  return LossLaw(LaplaceLoss(noise::Laplace::of(*LaplaceScale::of(scale)), *privacy::L1Sensitivity::of(sensitivity)));
}

struct Case {
  LossLaw law;
  test::ExactTransform exact;
  double c;
};

Case any_case(test::Parameters& any) {
  const double scale = any.log_uniform(1e-2, 1e6), sensitivity = any.log_uniform(1e-4, 1e2);
  return {laplace(scale, sensitivity), test::exact_laplace(test::ComplexBall(sensitivity) / scale),
          sensitivity / scale};
}

TEST(LaplaceLoss, HasItsCumulantsWithinTheirError) {
  test::Parameters any(521);
  for (int i = 0; i < 1500; ++i) {
    const Case here = any_case(any);
    test::expect_cumulants(here.law, here.exact, any.log_uniform(1e-6, 1e8), 8e-14);
    test::expect_cumulants(here.law, here.exact, any.log_uniform(1e-3, 1e3) / here.c, 8e-14);
    test::expect_cumulants(here.law, here.exact, 0, 8e-14);
  }
}

TEST(LaplaceLoss, HasItsCharacteristicFunctionWithinItsError) {
  test::Parameters any(522);
  for (int i = 0; i < 1000; ++i) {
    const Case here = any_case(any);
    const double theta = any.uniform(0, 1) < 0.2 ? 0 : any.log_uniform(1e-6, 1e8);
    TiltedLoss tilted = here.law.tilted(theta);
    for (const double t : {0.0, any.log_uniform(1e-3, 1e6), any.log_uniform(0.1, 10) / here.c}) {
      test::expect_phi(tilted, here.exact, theta, t, 8e-15);
    }
  }
}

// The plain formula against its own definition: the density e^(-(c-l)/2) / 4 integrated, for c = 2.
int weighted_density(acb_ptr out, const acb_t loss, void* z, slong order, slong bits) {
  if (order > 1) return 1;
  acb_t exponent;
  acb_init(exponent);
  acb_set_d(exponent, 2);
  acb_sub(exponent, loss, exponent, bits);
  acb_mul_2exp_si(exponent, exponent, -1);
  acb_addmul(exponent, loss, static_cast<acb_ptr>(z), bits);
  acb_exp(out, exponent, bits);
  acb_mul_2exp_si(out, out, -2);
  acb_clear(exponent);
  return 0;
}

TEST(LaplaceLoss, HasTheTransformOfItsDensityAndAtoms) {
  acb_t z, end, start, integral;
  for (acb_ptr x : {z, end, start, integral}) acb_init(x);
  for (const std::complex<double> at : {std::complex<double>{0, 0}, {1.5, 2}, {0.25, -7}, {6, 0.5}}) {
    acb_set_d_d(z, at.real(), at.imag());
    acb_set_d(end, 2);
    acb_set_d(start, -2);
    mag_t tolerance;
    mag_init(tolerance);
    acb_calc_integrate(integral, weighted_density, z, start, end, 100, tolerance, nullptr, 128);
    const double real = arf_get_d(arb_midref(acb_realref(integral)), ARF_RND_NEAR);
    const double imaginary = arf_get_d(arb_midref(acb_imagref(integral)), ARF_RND_NEAR);
    const std::complex<double> atoms = 0.5 * std::exp(2.0 * at) + 0.5 * std::exp(-2.0 - 2.0 * at);
    const std::complex<double> plain = test::exact_laplace(2)({at.real(), at.imag()}).nearest();
    EXPECT_LE(std::abs(atoms + std::complex<double>(real, imaginary) - plain), 1e-14 * std::abs(plain) + 1e-14);
  }
  for (acb_ptr x : {z, end, start, integral}) acb_clear(x);
}

// E abs(L - centre), the interior by the midpoint rule.
double mean_distance(double c, double theta, double centre) {
  const double w = theta + 0.5;
  double whole = 0.5 + 0.5 * std::exp(-2 * w * c);
  double sum = 0.5 * std::abs(c - centre) + 0.5 * std::exp(-2 * w * c) * std::abs(c + centre);
  const int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double down = (i + 0.5) * 2 * c / steps;
    const double mass = 0.25 * std::exp(-down * w) * 2 * c / steps;
    whole += mass;
    sum += mass * std::abs(c - down - centre);
  }
  return sum / whole;
}

TEST(LaplaceLoss, SpreadsByAtLeastTheMeanDistanceFromItsCentre) {
  test::Parameters any(523);
  for (int i = 0; i < 200; ++i) {
    const double c = any.log_uniform(1e-8, 30), theta = any.log_uniform(1e-3, 300) / (1 + c);
    const TiltedLoss tilted = laplace(1, c).tilted(theta);
    const double exact = mean_distance(c, theta, tilted.centre());
    EXPECT_GE(tilted.spread(), exact * (1 - 1e-6)) << c << " " << theta;
    EXPECT_LE(tilted.spread(), exact * 2) << c << " " << theta;
  }
}

TEST(LaplaceLoss, FallsBeyondToTheMassOfItsAtoms) {
  const TiltedLoss tilted = laplace(1, 2).tilted(0);
  EXPECT_EQ(tilted.beyond(0), 1);
  EXPECT_GT(tilted.beyond(1), tilted.beyond(2));
  EXPECT_NEAR(tilted.beyond(1e9), 0.5 + 0.5 * std::exp(-2), 1e-9);
}

TEST(LaplaceLoss, StaysFiniteAtTheEndsOfItsDomain) {
  for (const double scale : {1e-100, 1.0, 1e100}) {
    for (const double sensitivity : {1e-100, 1e-10, 1e100}) {
      const LossLaw law = laplace(scale, sensitivity);
      for (const double theta : {0.0, 1e-300, 1.0, 1e12}) {
        const Cumulants cumulants = law.cumulants(theta);
        EXPECT_TRUE(std::isfinite(cumulants.value) && std::isfinite(cumulants.error) && cumulants.curvature > 0);
        TiltedLoss tilted = law.tilted(theta);
        EXPECT_TRUE(std::isfinite(tilted.spread()) && tilted.spread() > 0);
        for (const double t : {0.0, 1.0, 1e12}) EXPECT_LE(tilted.at(t).error, 1) << scale << " " << sensitivity;
      }
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
