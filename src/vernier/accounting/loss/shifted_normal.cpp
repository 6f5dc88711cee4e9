#include "vernier/accounting/loss/shifted_normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accounting/loss/normal_ranges.hpp"
#include "vernier/accounting/loss/trapezoid.hpp"

namespace vernier::accounting {
namespace {

using Complex = std::complex<double>;
using Range = NormalRanges::Range;

constexpr double most_nodes = 2e4;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The log weight sigma D - D^2/2 + power (R less its line) at D = distance + i height.
void add_node(DampedNodes& nodes, const TiltedNormal& density, double distance, double height) {
  const numeric::DoubleDouble& mu = density.law().mu;
  const Complex move{std::fma(mu.hi, distance, mu.lo * distance), std::fma(mu.hi, height, mu.lo * height)};
  const ComplexBend bend = complex_bend(density.mixture(), move);
  const double steepness = density.steepness(), power = density.power();
  const Complex raised = power * bend.from_line.value;
  const double far = std::abs(distance) + height;
  const double units = 4 * std::abs(steepness) * far + 2 * far * far + std::abs(power) * bend.from_line.units +
                       4 * (std::abs(raised.real()) + std::abs(raised.imag()));
  const Complex log_weight{steepness * distance - (distance - height) * (distance + height) / 2 + raised.real(),
                           (steepness - distance) * height + raised.imag()};
  nodes.add(bend.change, {log_weight, units});
}

// For negative powers, abs(f(x + ia)) <= e^(a^2/2 - x^2/2 + power R(x - s)), s = -ln(cos mu a) / mu: concave in x.
// This is its logarithm at a distance from the anchor, in units of the density there.
double log_shifted(const TiltedNormal& density, double height, double distance) {
  const double s = -std::log(std::cos(density.mu() * height)) / density.mu();
  const double own = density.rough_log_density(distance - s), moved = (density.place() + distance) * s;
  const double slack = 1e-9 + 1e-12 * (std::abs(own) + std::abs(moved));
  return height * height / 2 + own - moved + s * s / 2 + slack;
}

// Of all nodes beyond an end of the range, in units of the density at the anchor: a concave logarithm that came down
// from the anchor goes on as steeply.
double tail_beyond(const TiltedNormal& density, double height, double step, double end) {
  const double here = log_shifted(density, height, end), fallen = log_shifted(density, height, 0) - here;
  if (!(fallen > 1)) return infinity;
  return 1.01 * std::exp(here) * (1 + 1.01 * std::abs(end) / (fallen * step));
}

// In units of the density at the anchor, of all places of the rule that are not kept.
double left_out(const TiltedNormal& density, const NormalRanges& where, const ShiftedTrapezoid& rule) {
  const double height = rule.height(), angle = density.mu() * height;
  const double on_the_line = 1.01 * (where.left_out / rule.step() + where.most + where.left_out);
  const double by_modulus = std::min(0.0, density.power()) * std::log(std::cos(angle / 2));
  const double plain = on_the_line * std::exp(height * height / 2 + by_modulus);
  if (density.power() >= 0 || angle > 1.5) return plain;
  const Range& only = where.kept.front();
  return std::min(plain, tail_beyond(density, height, rule.step(), only.first) +
                             tail_beyond(density, height, rule.step(), only.last));
}

}  // namespace

double least_peak_of(const TiltedNormal& density) {
  return density.peak() - 1.01 * std::abs(density.peak_slope()) - 1e-6 * (1 + std::abs(density.peak()));
}

std::optional<DampedNodes> shifted_nodes(const TiltedNormal& density, double centre, double integral,
                                         double relative_error) {
  const NormalRanges where = ranges_of(density);
  if (density.law().lattice || std::isinf(where.left_out) || !(relative_error < 0.1)) return {};
  const double farthest = std::max(std::abs(where.kept.front().first), std::abs(where.kept.back().last));
  if (!(density.mu() * farthest <= farthest_complex_move)) return {};
  const ShiftedTrapezoid rule(density.mu(), density.power(), least_peak_of(density));
  double expected = 0;
  for (const Range& range : where.kept) expected += (range.last - range.first) / rule.step() + 1;
  if (!(expected <= most_nodes)) return {};
  const Anchor& anchor = density.anchor();
  DampedNodes nodes(density.sign(), density.sign() * ((anchor.loss.hi - centre) + anchor.loss.lo), anchor.loss_error);
  for (const Range& range : where.kept) {
    const double last = std::floor(range.last / rule.step());
    for (double j = std::ceil(range.first / rule.step()); j <= last; ++j) {
      add_node(nodes, density, j * rule.step(), rule.height());
    }
  }
  nodes.leave_out(left_out(density, where, rule));
  nodes.set_missing(rule.error());
  nodes.set_scale(rule.step() / integral, 1.2 * relative_error);
  nodes.finish();
  return nodes;
}

}  // namespace vernier::accounting
