#include "vernier/accounting/loss/shifted_normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accounting/loss/quadrature.hpp"

namespace vernier::accounting {
namespace {

using Range = NormalRanges::Range;

constexpr double greatest_drift = 1e8;  // of the peak, in standard deviations: beyond it nothing is certain
constexpr double narrowest_split = 1.5;
constexpr double infinity = std::numeric_limits<double>::infinity();

void keep(const Range& range, NormalRanges& result) {
  if (!result.kept.empty() && result.kept.back().last == range.first) {
    result.kept.back().last = range.last;
  } else {
    result.kept.push_back(range);
  }
}

void split(const TiltedNormal& density, Range range, NormalRanges& result) {
  const double width = range.last - range.first, bound = density.chord_bound(range.first, range.last);
  if (bound + std::log(width + 1) < log_negligible) {
    result.left_out += width * std::exp(bound);
    result.most += std::exp(bound);
  } else if (width > narrowest_split) {
    const double middle = 0.5 * (range.first + range.last);
    split(density, {range.first, middle}, result);
    split(density, {middle, range.last}, result);
  } else {
    keep(range, result);
  }
}

// Between neighbours, where the noise is whole. The anchor may be half of it from the peak, and so far below it.
double spacing_of(const TiltedNormal& density) { return density.law().lattice ? 1 / *density.law().lattice : 0; }

// Right of power mu the log density falls more steeply than a normal one, left of 0 it rises so; the integral over what
// is beyond far_out more is at most a tenth of the density there, and a sum over a lattice has its first point besides.
NormalRanges ranges_of_two_bulks(const TiltedNormal& density) {
  const double drift = density.power() * density.mu(), far = far_out + spacing_of(density);
  if (!(drift < greatest_drift)) return {{}, infinity, infinity};
  const Range whole{-far - density.place(), drift + far - density.place()};
  NormalRanges result;
  if (drift <= 12) {
    result.kept.push_back(whole);
  } else {
    // The surroundings of the peak count anyway; only the rest is worth a look.
    const double peak = density.peak() - density.place();
    const Range middle{std::max(whole.first, peak - far), std::min(whole.last, peak + far)};
    if (middle.first > whole.first) split(density, {whole.first, middle.first}, result);
    keep(middle, result);
    if (middle.last < whole.last) split(density, {middle.last, whole.last}, result);
  }
  const double at_ends =
      std::exp(density.rough_log_density(whole.first)) + std::exp(density.rough_log_density(whole.last));
  result.left_out += 0.1 * at_ends;
  result.most += at_ends;
  return result;
}

// The least distance, about, at which the log density is negligible. It is concave, and its curvature at most -1.
double reach_down(const TiltedNormal& density, double direction) {
  double far = far_out + 1.1 * std::abs(density.peak_slope()) + 2 * std::abs(density.peak() - density.place()) + 0.1,
         near = 0;
  const double share = density.mixture().inside() * density.mixture().outside();
  if (-density.power() * density.mu() * density.mu() * share < 3) return far;  // hardly narrower than a normal one
  for (int i = 0; i < 10; ++i) {
    const double middle = 0.5 * (near + far);
    (density.rough_log_density(direction * middle) < log_negligible ? far : near) = middle;
  }
  return far;
}

NormalRanges range_of_one_bulk(const TiltedNormal& density) {
  const double left = reach_down(density, -1), right = reach_down(density, 1);
  const double at_left = density.rough_log_density(-left), at_right = density.rough_log_density(right);
  if (!(at_left < log_negligible / 2 && at_right < log_negligible / 2)) return {{}, infinity, infinity};
  // From value 0 it came down concavely, so it goes on at the mean slope at least.
  const double tails = left / -at_left * std::exp(at_left) + right / -at_right * std::exp(at_right);
  return {{{-left, right}}, 1.01 * tails, 1.01 * (std::exp(at_left) + std::exp(at_right))};
}

}  // namespace

NormalRanges ranges_of(const TiltedNormal& density) {
  return density.power() > 0 ? ranges_of_two_bulks(density) : range_of_one_bulk(density);
}

namespace {

using Complex = std::complex<double>;

constexpr double most_nodes = 2e4;

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
