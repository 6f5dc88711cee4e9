#include "vernier/accounting/loss/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/accounting/loss/quadrature.hpp"
#include "vernier/accounting/loss/shifted_normal.hpp"
#include "vernier/accounting/loss/tilted_normal.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::unit_roundoff;

constexpr double half_log_two_pi = 0.91893853320467274;
constexpr double most_nodes = 2e5;
constexpr double greatest_drift = 1e8;
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void SampledNormalTilt::add_nodes(Nodes& nodes, const NormalRanges::Range& range, const Rule& rule) const {
  const double first = std::ceil(range.first / rule.step), last = std::floor(range.last / rule.step),
               sign = density_.sign();
  const auto add = [&](double, const TiltedNormal::Term& term) {
    nodes.add({sign * term.change.value, term.change.units}, term.log_density, term.density);
  };
  if (rule.whole) {
    density_.for_each_term(
        first, last, 1, [&](double j) { return j / *density_.law().lattice; }, add);
  } else {
    density_.for_each_term(
        first, last, 0, [&](double j) { return j * rule.step; }, add);
  }
}

SampledNormalTilt::Rule SampledNormalTilt::rule_for(double reach) const {
  const Trapezoid exact(density_.mu(), density_.power(), least_peak_of(density_), reach);
  const double step = exact.step();
  if (!density_.law().lattice) return {step, false, exact.error(step)};
  const double scale = *density_.law().lattice;
  if (step * scale <= 1) return {1 / scale, true, 0};
  const double of_total = 4 * std::exp(-19.7 * scale * scale);  // 2 pi^2 > 19.7
  return {step, false, exact.error(step) + exact.error(1 / scale) + of_total};
}

Nodes SampledNormalTilt::nodes(double reach) const { return nodes_by(rule_for(reach)); }

std::optional<DampedNodes> SampledNormalTilt::damped(double centre) const {
  const Rule rule = rule_for(0);
  if (rule.whole) return {};
  const Nodes plain = nodes_by(rule);
  return shifted_nodes(density_, centre, plain.total() * rule.step, plain.relative_error());
}

Nodes SampledNormalTilt::nodes_by(const Rule& rule) const {
  const NormalRanges where = ranges_of(density_);
  Nodes result;
  double expected = 0;
  for (const NormalRanges::Range& range : where.kept) expected += (range.last - range.first) / rule.step + 1;
  if (!(expected < most_nodes) || std::isinf(where.left_out)) {
    result.set_missing(1);
    return result;
  }
  result.reserve(static_cast<std::size_t>(expected));
  for (const NormalRanges::Range& range : where.kept) add_nodes(result, range, rule);
  result.leave_out(1.01 * (where.left_out / rule.step + where.most + where.left_out));
  const double log_step = std::log(rule.step), of_unit = 8 * unit_roundoff * (std::abs(log_step) + 1);
  result.set_unit(rule.whole ? -density_.law().log_total : log_step - half_log_two_pi,
                  rule.whole ? density_.law().log_total_error : of_unit);
  result.set_missing(rule.missing);
  return result;
}

// An upper sum of f abs(L - centre) over the range, in units of f at the anchor. On a cell the loss is monotone, and f
// is at most e^(width^2 / 8) times its value at an end; or, for negative powers, at most that, unless the peak is
// inside.
double SampledNormalTilt::mean_over(const NormalRanges::Range& range, double shift) const {
  const double cells = std::clamp(std::ceil((range.last - range.first) / 0.1), 100.0, 1e5);
  const double width = (range.last - range.first) / cells,
               around = 1.01 * std::abs(density_.peak_slope()) + 1e-9 + width;
  const double peak = density_.peak() - density_.place(),
               top = std::exp(density_.rough_log_density(peak) + density_.peak_slope() * density_.peak_slope());
  double sum = 0, last_weight = 0, last_loss = 0;
  const auto visit = [&](double distance, const TiltedNormal::Term& term) {
    const bool at_peak = density_.power() < 0 && std::abs(distance - peak) <= around;
    const double own = term.log_density.value > log_negligible ? term.density : std::exp(log_negligible);
    const double weight = at_peak ? std::max(own, top) : own;
    const double loss = std::abs(density_.sign() * term.change.value + shift);
    sum += std::max(weight, last_weight) * std::max(loss, last_loss);
    last_weight = weight, last_loss = loss;
  };
  density_.for_each_term(
      0, cells, 2, [&](double j) { return range.first + j * width; }, visit);
  const double share =
      density_.law().lattice ? width + 1 / *density_.law().lattice : width;  // a cell has so many points of a lattice
  return sum * share * std::exp(width * width / 8 + 1e-9);
}

// How far from the anchor losses are that are left out, but for a share that the factor 2 beside it covers.
double SampledNormalTilt::farthest() const {
  const double spacing = density_.law().lattice ? 1 / *density_.law().lattice : 0;
  return density_.mu() *
         (std::abs(density_.power() * density_.mu()) + std::abs(density_.place()) + 4 * (far_out + spacing));
}

double SampledNormalTilt::spread(const Nodes&, double centre, double log_total) const {
  if (density_.law().lattice && *density_.law().lattice < 40) {
    Nodes all = nodes_by({1 / *density_.law().lattice, true, 0});
    all.recentre(anchor(), centre);
    return all.absolute_mean() + all.left_out_share() * 2 * (farthest() + std::abs(anchor().loss.hi - centre));
  }
  const NormalRanges where = ranges_of(density_);
  if (std::isinf(where.left_out) || !std::isfinite(log_total)) return infinity;
  const double shift = (anchor().loss.hi - centre) + anchor().loss.lo;
  double sum = (where.left_out + where.most) * 2 * (farthest() + std::abs(shift));
  for (const NormalRanges::Range& range : where.kept) sum += mean_over(range, shift);
  const double scaled = std::exp(anchor().log_weight - half_log_two_pi - log_total + anchor().log_weight_error + 1e-9);
  return sum * scaled;
}

Decay SampledNormalTilt::decay(double log_total) const {
  const double mu = density_.mu(), power = density_.power() + 1;
  if (density_.law().lattice || !(std::abs(power * mu) < greatest_drift) || !std::isfinite(log_total)) return {1, 0};
  const double log_density = anchor().log_weight - half_log_two_pi - std::log(mu) - density_.mixture().log_inside() -
                             log_total;  // of the loss
  const LogisticPeaks peaks(density_.law().rate, mu, power, -mu);
  double variation = 0;
  for (const auto& peak : peaks) {
    const double distance = peak.left - density_.place(), width = peak.right - peak.left;
    const double bent = power * density_.mixture().bend(mu * distance, 2).from_line.value;
    const double along = (density_.steepness() + mu * (density_.mixture().line() - 1)) * distance,
                 square = distance * distance / 2;
    const double rise = std::abs(peaks.slope(peak.left)) * width + std::max(0.0, power) * mu * mu * width * width;
    const double size = std::abs(along) + square + std::abs(bent) + std::abs(anchor().log_weight) + std::abs(log_total);
    const double slack = 1e-9 + 1e-12 * (size + std::abs(density_.mixture().log_inside())) + anchor().log_weight_error;
    variation += 2 * std::exp(log_density + along - square + bent + rise + slack);
  }
  return {0, variation};
}

double SampledNormalSource::greatest() const {
  if (law_.direction == Direction::remove || law_.rate == 1) return infinity;
  return -numeric::log1p_down(-law_.rate);
}

}  // namespace vernier::accounting
