#include "vernier/accounting/loss/zcdp_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "vernier/accounting/loss/atoms_law.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;
using numeric::Precision;

// A corner of the hull, with the slope of the chord that leads to it.
struct Corner {
  double loss;
  Ball x;
  Ball delta;
  Ball slope;
};

Ball slope_between(const Ball& x0, const Ball& delta0, const Ball& x1, const Ball& delta1) {
  return (delta1 - delta0) / (x1 - x0);
}

// Corners from which the chord to what follows would not certainly turn upward are left out. Leaving out a point only
// raises the hull.
template <class SlopeFrom>
void leave_out_concave(std::vector<Corner>& corners, const SlopeFrom& slope_from) {
  const auto turns_up = [&] { return less(corners.back().slope, slope_from(corners.back())).value_or(false); };
  while (corners.size() > 1 && !turns_up()) corners.pop_back();
}

// The first corner is the origin of the curve, (0, 1), where no loss is.
std::vector<Corner> hull(const std::vector<CurvePoint>& points, Precision precision) {
  const Ball zero = Ball::of(0, precision), one = Ball::of(1, precision);
  std::vector<Corner> corners{{0, zero, one, zero}};
  for (const CurvePoint& point : points) {
    const Ball x = exp(Ball::of(point.loss, precision));
    const auto slope_from = [&](const Corner& corner) { return slope_between(corner.x, corner.delta, x, point.delta); };
    leave_out_concave(corners, slope_from);
    corners.push_back({point.loss, x, point.delta, slope_from(corners.back())});
  }
  leave_out_concave(corners, [&](const Corner&) { return zero; });
  return corners;
}

// Takes what is above 1 in all from the least losses.
void take_off_excess(LossAtoms& law) {
  double total = law.infinite_mass;
  for (const double mass : law.masses) total = numeric::add_up(total, mass);
  double excess = numeric::subtract_up(total, 1);
  std::size_t taken = 0;
  while (taken < law.masses.size() && law.masses[taken] <= excess) {
    excess = numeric::subtract_up(excess, law.masses[taken++]);
  }
  law.losses.erase(law.losses.begin(), law.losses.begin() + static_cast<std::ptrdiff_t>(taken));
  law.masses.erase(law.masses.begin(), law.masses.begin() + static_cast<std::ptrdiff_t>(taken));
  if (excess > 0 && !law.masses.empty()) law.masses.front() = numeric::subtract_down(law.masses.front(), excess);
}

}  // namespace

LossAtoms convex_hull_law(const std::vector<CurvePoint>& points) {
  if (points.empty()) return {{}, {}, 1};
  const Precision precision = points.front().delta.precision();
  const std::vector<Corner> corners = hull(points, precision);
  LossAtoms law{{}, {}, std::min(corners.back().delta.bounds().upper, 1.0)};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const Ball next = i + 1 < corners.size() ? corners[i + 1].slope : Ball::of(0, precision);
    law.losses.push_back(corners[i].loss);
    law.masses.push_back((corners[i].x * (next - corners[i].slope)).bounds().upper);
  }
  take_off_excess(law);
  return law;
}

namespace {

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
  for (const Knot& knot : right) {
    const bool counts = std::exp(-knot.epsilon) * knot.delta >= least_mirrored;
    if (knot.epsilon > 0 && counts) points.push_back(mirrored(knot));
  }
  std::reverse(points.begin(), points.end());
  for (const Knot& knot : right) points.push_back({knot.epsilon, Ball::of(knot.delta, precision)});
  return convex_hull_law(points);
}

LossPart zcdp_part(double rho, double least_delta) {
  LossAtoms atoms = zcdp_law(rho, std::max(least_delta, 1e-300));
  const double infinite = atoms.infinite_mass;
  return {LossLaw(NodeLaw(AtomsSource(std::move(atoms)))), 1, {infinite, infinite}};
}

}  // namespace vernier::accounting
