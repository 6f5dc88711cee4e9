#include "vernier/accounting/loss/convex_hull_law.hpp"

#include <algorithm>
#include <utility>

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
  while (corners.size() > 1 && less(corners.back().slope, slope_from(corners.back())) != true) corners.pop_back();
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
  return law;
}

}  // namespace vernier::accounting
