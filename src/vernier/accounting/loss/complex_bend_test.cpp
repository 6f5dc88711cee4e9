#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/complex_ball.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/loss/damped_nodes.hpp"

namespace vernier::accounting {
namespace {

using test::ComplexBall;

ComplexBall exact_ratio(double rate, const ComplexBall& w) {
  return log(ComplexBall(1) - ComplexBall(rate) + ComplexBall(rate) * exp(w));
}

TEST(ComplexBend, AgreesWithManyDigitsWithinItsOwnError) {
  test::Parameters any(80);
  for (int i = 0; i < 3000; ++i) {
    const double rate = i % 10 == 0 ? 1 : any.log_uniform(1e-12, 1),
                 w0 = any.log_uniform(1e-3, 60) * (i % 2 == 0 ? 1 : -1);
    const std::complex<double> move{any.log_uniform(1e-4, 150) * (i % 3 == 0 ? 1 : -1),
                                    any.log_uniform(1e-6, std::numbers::pi / 2)};
    SCOPED_TRACE(testing::Message() << rate << " " << w0 << " " << move);
    const Mixture mixture = Mixture::at(rate, {w0, 0});
    const ComplexBend bend = complex_bend(mixture, move);
    const ComplexBall m(move.real(), move.imag());
    const ComplexBall exact = exact_ratio(rate, ComplexBall(w0) + m) - exact_ratio(rate, ComplexBall(w0));
    const ComplexBall line = ComplexBall(mixture.line()) * m;
    const auto distance = [](const ComplexBall& a, const std::complex<double>& b) {
      return (a - ComplexBall(b.real(), b.imag())).size();
    };
    EXPECT_LE(distance(exact, bend.change.value), bend.change.units * 0x1p-53);
    EXPECT_LE(distance(exact - line, bend.from_line.value), bend.from_line.units * 0x1p-53);
    EXPECT_LE(bend.change.units, 60 + 8 * std::abs(move));
  }
}

// The sampled part is small there, and so is its error: t times the change is to be known for t of about 1 / rate.
TEST(ComplexBend, KnowsSmallChangesRelatively) {
  const Mixture mixture = Mixture::at(1e-9, {-0.5, 0});
  for (const double right : {-3.0, -0.1, 0.2, 4.0}) {
    const ComplexBend bend = complex_bend(mixture, {right, 1});
    EXPECT_LE(bend.change.units, 100 * std::abs(bend.change.value));
  }
}

}  // namespace
}  // namespace vernier::accounting
