#include "vernier/accounting/loss/sampled_laplace.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/accounting/loss/quadrature.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::DoubleDouble;
using numeric::unit_roundoff;

constexpr double log_negligible = -58;
constexpr double wanted = -43;  // ln of a panel's error relative to the anchor's atom: 2e-19
constexpr double most_nodes = 2e5;
constexpr double log_two = 0.69314718055994531;
constexpr double place_units = 6;  // of a node's distance from the anchor, relatively

DoubleDouble times(const DoubleDouble& a, double sign) { return {sign * a.hi, sign * a.lo}; }

// ln of the weight of the atom at w = -c (inward 1) or c (inward -1).
double log_atom(const SampledLaplace& law, double inward, double power, const Mixture& mixture) {
  return (inward > 0 ? 0 : -law.end.hi) - log_two + power * mixture.value().hi;
}

}  // namespace

SampledLaplaceTilt::SampledLaplaceTilt(const SampledLaplace& law, double theta)
    : law_(law), power_(law.direction == Direction::remove ? numeric::two_sum(1, theta) : DoubleDouble{-theta, 0}) {
  const Mixture left = Mixture::at(law.rate, times(law.end, -1)), right = Mixture::at(law.rate, law.end);
  const double at_left = log_atom(law, 1, power_.hi, left), at_right = log_atom(law, -1, power_.hi, right);
  inward_ = at_left >= at_right ? 1 : -1;
  mixture_ = inward_ > 0 ? left : right;
  const double raised = std::abs(power_.hi * mixture_.value().hi);
  const double error = std::abs(power_.hi) * mixture_.value_error() + unit_roundoff * (4 * raised + 3 * law.end.hi + 3);
  anchor_ = {times(mixture_.value(), sign()), mixture_.value_error(), std::max(at_left, at_right), error};
}

// -inward s/2 + power (R(w0 + inward s) - R(w0)).
Change SampledLaplaceTilt::log_weight(double distance, const Bend& bend) const {
  const double along = inward_ * distance * (power_.hi * mixture_.line() - 0.5);
  const double raised = power_.hi * bend.from_line.value;
  const double size = distance * (std::abs(power_.hi) * mixture_.line() + 0.5);
  return {along + raised, (place_units + 4) * size + std::abs(power_.hi) * bend.from_line.units + 4 * std::abs(raised)};
}

double SampledLaplaceTilt::rough_log_weight(double distance) const {
  return log_weight(distance, mixture_.bend(inward_ * distance, place_units)).value;
}

// At least abs(arg(1 - q + q e^w)) for Re w up to w0 + right and abs(Im w) up to high < pi: with the ratio r = q e^w /
// (1 - q) it is arg(1 + r e^(i Im w)), which rises with r, and with Im w as long as that is below pi/2; for r < 1 it is
// at most asin(r).
double SampledLaplaceTilt::greatest_argument(double right, double high) const {
  const double log_ratio = mixture_.log_inside() + right - std::log(mixture_.outside()) + 1e-9;
  if (!(log_ratio < 30)) return high;
  const double ratio = std::exp(log_ratio + 1e-12 * std::abs(right));
  if (high <= std::numbers::pi / 2) return std::atan2(ratio * std::sin(high), 1 + ratio * std::cos(high));
  return ratio < 1 ? std::min(high, std::asin(ratio)) : high;
}

// 4.07 r max abs(F) rho^-2n / (1 - rho^-2), F on the ellipse that rho times the panel's half width draws around it.
double SampledLaplaceTilt::log_error(const Panel& panel, double reach, double ellipse) const {
  const double half = 0.5 * (panel.last - panel.first), middle = panel.first + half;
  const double wide = half * 0.5 * (ellipse + 1 / ellipse), high = half * 0.5 * (ellipse - 1 / ellipse);
  if (high > 0.95 * std::numbers::pi) return std::numeric_limits<double>::infinity();
  const double modulus = power_.hi < 0 ? power_.hi * std::log(std::cos(high / 2)) : 0;
  const double most = std::max(rough_log_weight(middle - wide), rough_log_weight(middle + wide));
  const double rule = std::log(half) + 1.5 - 2.0 * GaussLegendre::count * std::log(ellipse);
  const double right = std::max(inward_ * (middle - wide), inward_ * (middle + wide));
  const double turned = reach * greatest_argument(right, high) * (1 + 1e-9);
  return most + 1e-9 * (1 + std::abs(most)) + turned + modulus + rule;
}

double SampledLaplaceTilt::log_error(const Panel& panel, double reach) const {
  double least = std::numeric_limits<double>::infinity();
  for (const double ellipse : {2.2, 3.0, 4.5}) least = std::min(least, log_error(panel, reach, ellipse));
  return least;
}

void SampledLaplaceTilt::add_panel(Nodes& nodes, const Panel& panel) const {
  const GaussLegendre& rule = gauss_legendre();
  const double half = 0.5 * (panel.last - panel.first);
  for (std::size_t i = 0; i < GaussLegendre::count; ++i) {
    const double distance = panel.first + half * rule.from_left[i];
    const Bend bend = mixture_.bend(inward_ * distance, place_units);
    const double log_share = std::log(half * rule.weights[i] / 2);
    const Change exponential = log_weight(distance, bend);
    nodes.add({sign() * bend.change.value, bend.change.units},
              {log_share + exponential.value, exponential.units + 6 * std::abs(log_share) + 10});
  }
}

// The log weight is convex or monotone in the distance, so it is greatest at an end.
void SampledLaplaceTilt::add(Nodes& nodes, const Panel& panel, double reach, double& missing) const {
  const double width = panel.last - panel.first;
  const double most = std::max(rough_log_weight(panel.first), rough_log_weight(panel.last));
  if (most + std::log(width) < log_negligible) {
    nodes.leave_out(width * std::exp(most));
    return;
  }
  const double error = log_error(panel, reach);
  if (error <= wanted) {
    missing += std::exp(error);
    add_panel(nodes, panel);
    return;
  }
  const double middle = panel.first + 0.5 * width;
  if (!(static_cast<double>(nodes.count()) < most_nodes) || !(middle > panel.first && middle < panel.last)) {
    missing = 1;
    return;
  }
  add(nodes, {panel.first, middle}, reach, missing);
  if (missing < 1) add(nodes, {middle, panel.last}, reach, missing);
}

Nodes SampledLaplaceTilt::nodes(double reach) const {
  Nodes result;
  const double length = 2 * law_.end.hi;
  const Bend across = mixture_.bend(inward_ * length, 2);
  result.add({0, 0}, {0, 0});
  result.add({sign() * across.change.value, across.change.units}, log_weight(length, across));
  double missing = 0;
  add(result, {0, length}, reach, missing);
  result.set_missing(1.01 * missing);
  return result;
}

// On the ellipses, which reach at most to 2.5 c, abs(L - centre) is at most `farthest`, so the rule for the second
// moment errs by at most missing() times its square.
double SampledLaplaceTilt::spread(const Nodes& nodes, double centre, double) const {
  const double c = law_.end.hi;
  const Mixture right = Mixture::at(law_.rate, {2.5 * c, 0}), left = Mixture::at(law_.rate, {-2.5 * c, 0});
  const double turned = std::numbers::pi / std::cos(0.475 * std::numbers::pi) * right.inside();
  const double farthest =
      1.01 * (std::abs(right.value().hi - sign() * centre) + std::abs(left.value().hi - sign() * centre) + turned);
  const double more = (nodes.missing() + nodes.left_out_share()) * farthest * farthest;
  return std::sqrt(nodes.mean_square() + 2 * more) * (1 + 1e-12);
}

// The atoms' masses, and twice the density of the loss at both ends: between them it has no peak.
Decay SampledLaplaceTilt::decay(double log_total) const {
  const double length = 2 * law_.end.hi;
  const Bend across = mixture_.bend(inward_ * length, 2);
  const Change other = log_weight(length, across);
  const double size = std::abs(anchor_.log_weight) + std::abs(log_total) + std::abs(other.value);
  const double slack = 1e-9 + 1e-12 * size + anchor_.log_weight_error + other.units * unit_roundoff;
  const double here = std::exp(anchor_.log_weight - log_total + slack), there = here * std::exp(other.value);
  const double share_there = std::exp(mixture_.log_inside() + inward_ * length - across.change.value);
  const double here_density = here / 2 / std::exp(mixture_.log_inside()), there_density = there / 2 / share_there;
  return {here + there, 2 * (here_density + there_density) * (1 + 1e-9)};
}

double SampledLaplaceSource::greatest() const {
  const double end = std::nextafter(law_.end.hi, std::numeric_limits<double>::infinity());
  return greatest_sampled_loss(law_.rate, end, law_.direction);
}

}  // namespace vernier::accounting
