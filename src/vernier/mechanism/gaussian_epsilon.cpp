#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian_curve.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr double u = numeric::unit_roundoff;
constexpr double widest = 4e-13;  // on either side: together below 1e-12
constexpr double usual_spread = 0x1p-43;

struct Question {
  double sigma;
  double sensitivity;
  double delta;

  GaussianPoint at(double epsilon) const { return {epsilon, sigma, sensitivity}; }
  double a() const { return at(0).a(); }
};

Bounds around(double epsilon, double spread) { return {epsilon * (1 - spread), epsilon * (1 + spread)}; }

// --- in doubles

// b with delta(a, b) about delta, if doubles reach it: Newton's steps for sqrt(-2 ln delta), which is nearly straight.
std::optional<double> solve(const Question& asked) {
  const double a = asked.a();
  const double target = std::log(asked.delta);
  const double target_root = std::sqrt(-2 * target);
  double b = a + numeric::normal_upper_point(target);  // delta <= Q(b - a), so the answer is not above
  for (int i = 0; i < 40; ++i) {
    const std::optional<LogDelta> here = log_delta(a, b);
    if (!here) return std::nullopt;
    const double root = std::sqrt(-2 * here->value);
    const double step = (target_root - root) * root * here->mean_slope / numeric::mills(a + b);
    const double next = std::max({b + step, b / 8, a - 0.9});
    const bool done = std::abs(next - b) <= 1e-8 * b;
    b = next;
    if (done) return b;
    if (b < 1e-4) return std::nullopt;  // epsilon depends too much on delta there
  }
  return std::nullopt;
}

// How far epsilon moves, relatively, with what is not known of ln delta: d ln delta / d ln epsilon is -b M(a+b)/mean G.
double spread_of(const LogDelta& here, double a, double b, double log_delta_error) {
  return 1.25 * (here.error + log_delta_error) * here.mean_slope / (b * numeric::mills(a + b)) + 0x1p-46;
}

bool is_certified(const Question& asked, Bounds epsilon) {
  const GaussianPoint low = asked.at(epsilon.lower);
  const GaussianPoint high = asked.at(epsilon.upper);
  const std::optional<LogDelta> too_much = log_delta(low.a(), low.b());
  const std::optional<LogDelta> little = log_delta(high.a(), high.b());
  return too_much && little && too_much->value - too_much->error >= upper_log(asked.delta) &&
         little->value + little->error <= lower_log(asked.delta);
}

std::optional<Bounds> certified_around(const Question& asked, double b) {
  const double a = asked.a();
  const std::optional<LogDelta> here = log_delta(a, b);
  if (!here) return std::nullopt;
  const double spread = spread_of(*here, a, b, upper_log(asked.delta) - lower_log(asked.delta));
  if (spread > widest) return std::nullopt;
  const Bounds epsilon = around(2 * a * b, spread);
  return is_certified(asked, epsilon) ? std::optional(epsilon) : std::nullopt;
}

// --- by balls

bool is_zero(const Question& asked, Precision precision) {
  return less(gaussian_delta(asked.at(0), precision), Ball::of(asked.delta, precision)) == true;
}

bool is_certified(const Question& asked, Bounds epsilon, Precision precision) {
  const Ball delta = Ball::of(asked.delta, precision);
  return epsilon.upper > 0 && std::isfinite(epsilon.upper) &&
         less(gaussian_delta(asked.at(epsilon.upper), precision), delta) == true &&
         less(delta, gaussian_delta(asked.at(epsilon.lower), precision)) == true;
}

// delta is convex in e^epsilon, so Newton's step in that variable stays below the answer when it comes from below. From
// above a plain step does.
double next_after(const Question& asked, double epsilon, Precision precision) {
  const DeltaBalls here = gaussian_delta_and_fall(asked.at(epsilon), precision);
  const Ball ratio = (here.delta - Ball::of(asked.delta, precision)) / here.fall;
  const double step = ratio.bounds().lower > 0 ? log1p(ratio).nearest() : ratio.nearest();
  return std::max(epsilon / 2, epsilon + step);  // in this order: half of it where the step is no number
}

double refined(const Question& asked, double epsilon, Precision precision) {
  for (int i = 0; i < 60; ++i) {
    const double next = next_after(asked, epsilon, precision);
    const bool done = std::abs(next - epsilon) <= 1e-9 * next;
    epsilon = next;
    if (done) break;
  }
  return epsilon;
}

// A first guess that is right where a is large, and below the answer where it is small.
double rough_guess(const Question& asked) {
  const double a = asked.a();
  return a < 1 ? 0 : 2 * a * (a + numeric::normal_upper_point(std::log(asked.delta)));
}

}  // namespace

Result<Bounds> gaussian_epsilon_by_balls(double sigma, double sensitivity, double delta, double guess) {
  const Question asked{sigma, sensitivity, delta};
  if (!std::isfinite(guess)) {
    return fail(ErrorKind::exhausted,
                "the noise of scale " + shortest(sigma) + " is so small for a sensitivity of " + shortest(sensitivity) +
                    " that epsilon is beyond all doubles",
                "use more noise");
  }
  for (long bits = 128; bits <= 4096; bits *= 2) {
    if (is_zero(asked, {bits})) return Bounds{0, 0};
    for (const double epsilon : {guess, refined(asked, guess, {bits})}) {
      const Bounds found = around(epsilon, usual_spread);
      if (is_certified(asked, found, {bits})) return found;
    }
  }
  return fail(ErrorKind::exhausted,
              "epsilon at delta " + shortest(delta) + " and scale " + shortest(sigma) + " is not decided by 4096 bits",
              "move delta a little");
}

Result<Bounds> gaussian_epsilon(double sigma, double sensitivity, double delta) {
  const Question asked{sigma, sensitivity, delta};
  const std::optional<LogDelta> at_zero = log_delta(asked.a(), 0);
  if (at_zero && at_zero->value + at_zero->error <= lower_log(delta)) return Bounds{0, 0};
  const std::optional<double> b = solve(asked);
  if (!b) return gaussian_epsilon_by_balls(sigma, sensitivity, delta, rough_guess(asked));
  const std::optional<Bounds> quick = certified_around(asked, *b);
  if (quick) return *quick;
  return gaussian_epsilon_by_balls(sigma, sensitivity, delta, 2 * asked.a() * *b);
}

}  // namespace vernier::mechanism
