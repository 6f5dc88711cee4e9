#include "vernier/accounting/loss/shifted_normal.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/complex_ball.hpp"
#include "support/exact_mixture.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/loss/sampled_gaussian.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::accounting {
namespace {

using test::ComplexBall;

constexpr Direction both[] = {Direction::remove, Direction::add};

SampledNormal law_of(double rate, double scale, Direction direction) {
  const auto mu = numeric::split_quotient(1, scale);
  return {rate, {mu.head, mu.rest}, direction, {}};
}

// E_q[e^(it(L - centre))] with many digits, by a trapezoidal rule on another line than that of the code, and on the
// other side of the real one for t below 0: for every t, its error is below e^-80.
class Referee {
 public:
  Referee(double rate, double scale, Direction direction, double theta)
      : power_(direction == Direction::remove ? 1 + theta : -theta), sign_(direction == Direction::remove ? 1 : -1) {
    const double mu = 1 / scale, narrow = 1.4 / (mu * std::sqrt(std::max(1.0, std::abs(power_))));
    height_ = std::min({1.0, 0.35 * std::numbers::pi / mu, power_ < 0 ? narrow : 1.0});
    const double step = 6.283 * height_ / 90;
    const auto rough = [&](double x) { return -x * x / 2 + power_ * rough_ratio(rate, mu * x - mu * mu / 2); };
    const double first = std::floor(std::min(-13.0, power_ * mu - 13) / step),
                 last = std::max(13.0, power_ * mu + 13) / step;
    double most = rough(0);
    for (double j = first; j <= last; ++j) most = std::max(most, rough(j * step));
    const ComplexBall exact_mu = ComplexBall(1) / ComplexBall(scale);
    for (double j = first; j <= last; ++j) {
      if (rough(j * step) < most - 84) continue;
      const ComplexBall x(j * step, height_);
      const ComplexBall w = exact_mu * x - exact_mu * exact_mu / ComplexBall(2);
      log_ratios_.push_back(log(ComplexBall(1) - ComplexBall(rate) + ComplexBall(rate) * exp(w)));
      const ComplexBall square = x * x / ComplexBall(2);
      weights_.push_back(exp(ComplexBall(power_) * log_ratios_.back() - square));
    }
  }

  // abs(value - exact), at most.
  double distance(const std::complex<double>& value, double t, double centre) const {
    ComplexBall sum, total;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const ComplexBall loss = log_ratios_[i] - ComplexBall(sign_) * ComplexBall(centre);
      sum = sum + weights_[i] * exp(ComplexBall(0, t) * loss);
      total = total + weights_[i];
    }
    return (sum / total - ComplexBall(value.real(), sign_ * value.imag())).size();
  }

 private:
  static double rough_ratio(double rate, double w) {
    return w > 600 ? w + std::log(rate) : std::log1p(rate * std::expm1(w));
  }
  double power_;
  double sign_;
  double height_;
  std::vector<ComplexBall> log_ratios_, weights_;
};

void expect_certified(double rate, double scale, Direction direction, double theta, double t, double tolerance) {
  SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << theta << " " << t << " " << int(direction));
  const NodeLaw<SampledNormalSource> law(SampledNormalSource(law_of(rate, scale, direction)));
  const double centre = law.cumulants(theta).slope, mu = 1 / scale;
  const auto damped = SampledNormalSource(law_of(rate, scale, direction)).tilt(theta).damped(centre);
  ASSERT_TRUE(damped.has_value());
  const Referee exact(rate, scale, direction, theta);
  auto tilted = law.tilted(theta);
  for (const double frequency : {t, t / 30}) {
    const Frequency phi = damped->at(frequency);
    EXPECT_LE(exact.distance(phi.value, frequency, centre), phi.error);
    EXPECT_LE(phi.error, tolerance * (1 + theta * mu) + tolerance * frequency * tilted.spread());
    EXPECT_LE(std::abs(phi.value), damped->beyond(frequency) + phi.error);
    EXPECT_LE(std::abs(phi.value), tilted.beyond(frequency) + phi.error);
    const Frequency as_law = tilted.at(frequency);
    EXPECT_LE(exact.distance(as_law.value, frequency, tilted.centre()), as_law.error);
  }
}

TEST(SlowShiftedNormal, AgreesWithManyDigitsAtEveryFrequency) {
  test::Parameters any(60);
  for (int i = 0; i < 12; ++i) {
    const double rate = any.log_uniform(1e-9, 0.9), scale = any.log_uniform(0.2, 100);
    const double theta = i % 5 == 0 ? 0 : any.log_uniform(0.01, 20), t = any.log_uniform(0.1, 100) * (1 + scale / rate);
    for (const Direction direction : both) expect_certified(rate, scale, direction, theta, t, 4e-14);
  }
}

TEST(HeavyShiftedNormal, IsSoundOverItsWholeDomain) {
  test::Parameters any(61);
  for (int i = 0; i < 30; ++i) {
    const double rate = any.log_uniform(1e-9, 1), scale = any.log_uniform(0.1, 1000);
    const double theta = any.log_uniform(0.01, 30), t = any.log_uniform(0.1, 1e9);
    for (const Direction direction : both) expect_certified(rate, scale, direction, theta, t, 1e-12);
    expect_certified(rate, scale, Direction::add, any.log_uniform(30, 1e4), t, 1e-12);
  }
}

TEST(ShiftedNormal, HasTheTotalOne) {
  for (const double rate : {1e-9, 1e-3, 0.3, 1.0}) {
    for (const double scale : {0.2, 1.0, 30.0}) {
      for (const Direction direction : both) {
        SCOPED_TRACE(testing::Message() << rate << " " << scale << " " << int(direction));
        const Frequency whole = SampledNormalSource(law_of(rate, scale, direction)).tilt(2).damped(0.1)->at(0);
        EXPECT_LE(std::abs(whole.value - 1.0), whole.error);
        EXPECT_LE(whole.error, 1e-13);
      }
    }
  }
}

TEST(ShiftedNormal, BoundsWhatLiesBeyondMuchCloserThanTheVariation) {
  auto tilted = NodeLaw<SampledNormalSource>(SampledNormalSource(law_of(1e-4, 1, Direction::remove))).tilted(5);
  for (const double t : {1e5, 1e6, 1e7}) {
    const double before = tilted.beyond(t);
    double most = 0;
    for (double s = t; s < 100 * t; s *= 1.1) most = std::max(most, std::abs(tilted.at(s).value));
    EXPECT_LE(most, tilted.beyond(t));
    EXPECT_LE(tilted.beyond(t), before);
    EXPECT_LE(tilted.beyond(t), 30 * most);
  }
}

TEST(ShiftedNormal, TakesFewNodesWhateverTheFrequency) {
  const SampledNormalSource source(law_of(1e-5, 1, Direction::remove));
  const auto damped = source.tilt(3).damped(0);
  EXPECT_LE(damped->count(), 200U);
  EXPECT_LE(damped->count(1e7), damped->count() / 2);
  auto tilted = NodeLaw<SampledNormalSource>(source).tilted(3);
  EXPECT_LE(tilted.at(1e8).error, 1e-10);
  static_cast<void>(tilted.at(1.1e8));
  EXPECT_LE(tilted.cost(), 20);
}

TEST(ShiftedNormal, IsNotThereForALattice) {
  SampledNormal law = law_of(0.1, 1, Direction::remove);
  law.lattice = 2;
  law.log_total = std::log(2 * std::sqrt(2 * std::numbers::pi));
  EXPECT_FALSE(SampledNormalSource(law).tilt(1).damped(0).has_value());
}

}  // namespace
}  // namespace vernier::accounting
