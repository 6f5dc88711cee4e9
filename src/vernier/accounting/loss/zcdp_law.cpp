#include "vernier/accounting/loss/zcdp_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vernier/accounting/loss/convex_hull_law.hpp"
#include "vernier/accounting/zcdp.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision precision{320};
constexpr std::size_t most_knots = 20000;
// Losses below which less than this chance remains are rounded up to the least knot.
constexpr double least_mirrored = 1e-18;

struct Knot {
  double epsilon;
  double delta;  // at least that of every rho-zCDP release
};

// A chord lies above a curve delta = x^-b by b (b + 1) step^2 / 8 of it. Chords also widen the loss, whose standard
// deviation is about `sigma`; and a huge one is not followed in steps below sigma / 400.
double next_step(double b, double turn, double sigma) {
  const double fine = std::min({turn / std::sqrt(b * (b + 1) + 1e-300), 0.15 * sigma, 1.0});
  return std::max(fine, sigma / 400);
}

// From 0, or from where delta still is 1 but for 1e-20, up to where it is at most `least`. delta falls like the power
// b = -d ln delta / d epsilon of x, as seen in the last step.
std::vector<Knot> knots(double rho, double least) {
  const double turn = std::max(0.06, -std::log(least) / 2000), sigma = std::sqrt(2 * rho);
  const double first = std::max(0.0, rho - 10 * sigma);
  std::vector<Knot> result{{first, zcdp_delta(rho, first)}};
  double step = 0.01 * sigma;
  while (result.back().delta > least && result.size() < most_knots) {
    const Knot last = result.back();
    result.push_back({last.epsilon + step, zcdp_delta(rho, last.epsilon + step)});
    const double b = std::max(std::log(last.delta / result.back().delta) / step, 0.0);
    step = std::min(next_step(b, turn, sigma), 2 * step);
  }
  return result;
}

// U(x) <= 1 - x + x U'(1/x) for x < 1, where U' is the curve of the other direction.
CurvePoint mirrored(const Knot& knot) {
  const Ball x = exp(-Ball::of(knot.epsilon, precision)), one = Ball::of(1, precision);
  return {-knot.epsilon, one - x * (one - Ball::of(knot.delta, precision))};
}

}  // namespace

LossAtoms zcdp_law(double rho, double least) {
  const std::vector<Knot> right = knots(rho, least);
  std::vector<CurvePoint> points;
  for (auto knot = right.rbegin(); knot != right.rend(); ++knot) {
    if (knot->epsilon > 0 && std::exp(-knot->epsilon) * knot->delta >= least_mirrored)
      points.push_back(mirrored(*knot));
  }
  for (const Knot& knot : right) points.push_back({knot.epsilon, Ball::of(knot.delta, precision)});
  return convex_hull_law(points);
}

}  // namespace vernier::accounting
