#include "vernier/accounting/loss/normal_terms.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accounting/loss/mixture.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using noise::kernels::Isa;
using numeric::Ball;

constexpr numeric::Precision fine{2000};

double distance(const Ball& exact, double value) {
  const Bounds bounds = (exact - Ball::of(value, fine)).bounds();
  return std::max(-bounds.lower, bounds.upper);
}

// R(w0 + mu d) - R(w0), with the anchor at w0, and the log weight that the parameters state.
void expect_certified(double rate, double w0, double mu, double power, Isa isa) {
  const Mixture mixture = Mixture::at(rate, {w0, 0});
  const NormalTermParameters parameters{.mu = mu,
                                        .mu_rest = mu * 0x1p-55,
                                        .share = std::min(mixture.inside(), mixture.outside()),
                                        .line = mixture.line(),
                                        .share_units = 2 * Mixture::share_units,
                                        .power = power,
                                        .steepness = 0.125,
                                        .distance_units = 0};
  NormalTerms terms;
  constexpr std::size_t count = 43;
  for (std::size_t i = 0; i < count; ++i) terms.distance[i] = 0.5 * (static_cast<double>(i) - 21);
  fill(terms, count, parameters, isa);
  const Ball q = Ball::of(rate, fine), one = Ball::of(1, fine), start = Ball::of(w0, fine);
  const Ball exact_mu = Ball::of(mu, fine) + Ball::of(mu * 0x1p-55, fine);
  for (std::size_t i = 0; i < count; ++i) {
    const Ball d = Ball::of(terms.distance[i], fine), move = exact_mu * d;
    const Ball change = log(one - q + q * exp(start + move)) - log(one - q + q * exp(start));
    EXPECT_LE(distance(change, terms.change[i]), terms.change_units[i] * numeric::unit_roundoff);
    const Ball bent = change - Ball::of(mixture.line(), fine) * move;
    const Ball log_weight = Ball::of(0.125, fine) * d - times_power_of_two(d * d, -1) + Ball::of(power, fine) * bent;
    EXPECT_LE(distance(log_weight, terms.log_weight[i]), terms.log_units[i] * numeric::unit_roundoff + 1e-300);
    if (terms.log_weight[i] > -60 && terms.log_weight[i] < 700) {
      EXPECT_NEAR(terms.weight[i] / std::exp(terms.log_weight[i]), 1, 8 * numeric::unit_roundoff);
    }
  }
}

TEST(NormalTerms, KnowTheirErrorsOnEveryInstructionSet) {
  test::Parameters any(61);
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (!noise::kernels::supported(isa)) continue;
    for (int i = 0; i < 12; ++i) {
      const double rate = i % 6 == 0 ? 1 : any.log_uniform(1e-9, 1), w0 = any.uniform(-20, 20);
      const double mu = any.log_uniform(1e-3, 50), power = any.uniform(-30, 30);
      SCOPED_TRACE(testing::Message() << rate << " " << w0 << " " << mu << " " << power << " " << int(isa));
      expect_certified(rate, w0, mu, power, isa);
    }
  }
}

}  // namespace
}  // namespace vernier::accounting
