#pragma once

#include <cmath>
#include <complex>
#include <vector>

#include <arb.h>

#include "vernier/numeric/ball.hpp"

// The transform of a sampled loss by plain sums of balls, with many digits: the referee of the loss laws.
namespace vernier::test {

// Log ratios w with their masses where Q is seen; the losses are R = ln(1 - q + q e^w) (remove) or -R (add).
class ExactMixture {
 public:
  static constexpr numeric::Precision fine{256};

  ExactMixture(double rate, bool remove) : rate_(rate), remove_(remove) {}

  void add(const numeric::Ball& w, const numeric::Ball& mass) {
    using numeric::Ball;
    const Ball q = Ball::of(rate_, fine), one = Ball::of(1, fine);
    add_log_ratio(log(one - q + q * exp(w)), mass);
  }
  void add_log_ratio(const numeric::Ball& ratio, const numeric::Ball& mass) {
    log_ratios_.push_back(ratio);
    masses_.push_back(mass);
  }
  std::size_t count() const { return masses_.size(); }

  // K(theta), where the masses sum to `total`.
  numeric::Ball cumulant(double theta) const {
    numeric::Ball sum = numeric::Ball::of(0, fine);
    for (const auto& weight : weights(theta)) sum = sum + weight;
    return log(sum);
  }

  struct Wave {
    numeric::Ball real;
    numeric::Ball imaginary;
  };
  // E_q[e^(it(L - centre))].
  Wave wave(double theta, double t, double centre) const {
    using numeric::Ball;
    Ball sum = Ball::of(0, fine), real = sum, imaginary = sum;
    const std::vector<Ball> weight = weights(theta);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      const Ball loss = remove_ ? log_ratios_[i] : -log_ratios_[i];
      const Ball phase = Ball::of(t, fine) * (loss - Ball::of(centre, fine));
      arb_t s, c;
      arb_init(s);
      arb_init(c);
      arb_sin_cos(s, c, phase.raw(), fine.bits);
      sum = sum + weight[i];
      real = real + weight[i] * Ball::from_raw(c, fine);
      imaginary = imaginary + weight[i] * Ball::from_raw(s, fine);
      arb_clear(s);
      arb_clear(c);
    }
    return {real / sum, imaginary / sum};
  }

  // abs(value - the exact phi), rounded up.
  double distance(std::complex<double> value, double theta, double t, double centre) const {
    using numeric::Ball;
    const Wave exact = wave(theta, t, centre);
    const Ball x = exact.real - Ball::of(value.real(), fine), y = exact.imaginary - Ball::of(value.imag(), fine);
    const Bounds a = x.bounds(), b = y.bounds();
    return std::hypot(std::max(-a.lower, a.upper), std::max(-b.lower, b.upper)) * (1 + 1e-15);
  }

 private:
  std::vector<numeric::Ball> weights(double theta) const {
    using numeric::Ball;
    const Ball power = remove_ ? Ball::of(1, fine) + Ball::of(theta, fine) : -Ball::of(theta, fine);
    std::vector<Ball> result;
    for (std::size_t i = 0; i < masses_.size(); ++i) result.push_back(masses_[i] * exp(power * log_ratios_[i]));
    return result;
  }

  double rate_;
  bool remove_;
  std::vector<numeric::Ball> log_ratios_;
  std::vector<numeric::Ball> masses_;
};

// Gaussian noise by a trapezoidal rule so fine that its error is below 1e-40, for tilts around theta and frequencies
// up to t; or on the whole numbers divided by `scale`, where it is above 0.
inline ExactMixture exact_sampled_normal(double rate, double sensitivity, double scale, bool remove, double theta,
                                         double t, bool whole) {
  using numeric::Ball;
  constexpr auto fine = ExactMixture::fine;
  const double mu = sensitivity / scale, power = remove ? 1 + theta : -theta;
  const double height = std::min(10.0, 1.2 / mu), angle = mu * height;
  const double cost = 100 + height * height / 2 + t * angle + std::max(0.0, -power) * -std::log(std::cos(angle / 2));
  const double step = whole ? 1 / scale : 6.283 * height / cost;
  const auto rough = [&](double x) {
    const double w = mu * x - mu * mu / 2;
    return -x * x / 2 + power * (w > 600 ? w + std::log(rate) : std::log1p(rate * std::expm1(w)));
  };
  const double first = std::floor(std::min(-16.0, power * mu - 16) / step),
               last = std::max(16.0, power * mu + 16) / step;
  double most = rough(0);
  for (double k = first; k <= last; ++k) most = std::max(most, rough(k * step));
  const Ball exact_mu = Ball::of(sensitivity, fine) / Ball::of(scale, fine);
  ExactMixture result(rate, remove);
  Ball total = Ball::of(0, fine);
  std::vector<Ball> places;
  for (double k = first; k <= last; ++k) {
    if (rough(k * step) < most - 105 && std::abs(k * step) > 15.5) continue;
    const Ball x = whole ? Ball::of(k, fine) / Ball::of(scale, fine) : Ball::of(k, fine) * Ball::of(step, fine);
    total = total + exp(-times_power_of_two(x * x, -1));
    if (rough(k * step) >= most - 105) places.push_back(x);
  }
  for (const Ball& x : places) {
    result.add(exact_mu * x - times_power_of_two(exact_mu * exact_mu, -1), exp(-times_power_of_two(x * x, -1)) / total);
  }
  return result;
}

}  // namespace vernier::test
