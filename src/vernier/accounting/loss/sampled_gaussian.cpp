#include "vernier/accounting/loss/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/roundoff.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::accounting {
namespace {

using numeric::DoubleDouble;
using numeric::unit_roundoff;

constexpr double half_log_two_pi = 0.91893853320467274;
constexpr double negligible = -58;  // ln of what is left out at once, relative to the peak
constexpr double far_out = 10.8;    // standard deviations with -far_out^2 / 2 < negligible
constexpr double most_nodes = 2e6;
constexpr double greatest_drift = 1e8;  // of the peak, in standard deviations: beyond it nothing is certain
constexpr double narrowest_split = 1.5;
constexpr double infinity = std::numeric_limits<double>::infinity();

DoubleDouble minus(const DoubleDouble& a) { return {-a.hi, -a.lo}; }
DoubleDouble sum_of(const DoubleDouble& a, const DoubleDouble& b) { return numeric::sum(numeric::sum(a, b.hi), b.lo); }
DoubleDouble product_of(const DoubleDouble& a, const DoubleDouble& b) {
  return numeric::sum(numeric::product(a, b.hi), a.hi * b.lo);
}
DoubleDouble halved(const DoubleDouble& a) { return {a.hi / 2, a.lo / 2}; }

// ln(1 - q + q e^w), roughly.
double rough_log_ratio(double rate, double w) {
  if (w > 600) return w + std::log(rate);
  return rate == 1 ? w : std::log1p(rate * std::expm1(w));
}

double best_peak(const SampledNormal& law, double power) {
  const double mu = law.mu.hi;
  double best = 0, best_value = -infinity;
  for (const auto& peak : LogisticPeaks(law.rate, mu, power, 0)) {
    const double x = 0.5 * (peak.left + peak.right);
    const double value = -x * x / 2 + power * rough_log_ratio(law.rate, mu * x - mu * mu / 2);
    if (value > best_value) best = x, best_value = value;
  }
  return best;
}

DoubleDouble nearest_place(const SampledNormal& law, double x) {
  if (!law.lattice) return {x, 0};
  const double whole = std::nearbyint(x * *law.lattice);
  const numeric::SplitQuotient place = numeric::split_quotient(std::abs(whole), *law.lattice);
  const DoubleDouble result{place.head, place.rest};
  return whole < 0 ? minus(result) : result;
}

}  // namespace

SampledNormalTilt::SampledNormalTilt(const SampledNormal& law, double theta)
    : law_(law),
      power_(law.direction == Direction::remove ? numeric::two_sum(1, theta) : DoubleDouble{-theta, 0}),
      peak_(best_peak(law, power_.hi)),
      peak_slope_(LogisticPeaks(law.rate, law.mu.hi, power_.hi, 0).slope(peak_)),
      place_(nearest_place(law, peak_)),
      mixture_(Mixture::at(law.rate, product_of(law.mu, sum_of(place_, minus(halved(law.mu)))))) {
  const DoubleDouble along = product_of(law.mu, power_);
  steepness_ = sum_of({along.hi * mixture_.line(), along.lo * mixture_.line()}, minus(place_)).hi;
  const double square = place_.hi * place_.hi / 2, raised = power_.hi * mixture_.value().hi;
  const double error =
      std::abs(power_.hi) * mixture_.value_error() + unit_roundoff * (4 * square + 5 * std::abs(raised));
  const DoubleDouble loss = law.direction == Direction::remove ? mixture_.value() : minus(mixture_.value());
  anchor_ = {loss, mixture_.value_error(), raised - square, error};
}

void SampledNormalTilt::add_node(Nodes& nodes, double distance, double distance_units) const {
  const double move = std::fma(law_.mu.hi, distance, law_.mu.lo * distance);
  const Bend bend = mixture_.bend(move, 1.1 + distance_units);
  const double along = steepness_ * distance, square = distance * distance / 2;
  const double raised = power_.hi * bend.from_line.value;
  const double units = (4 + distance_units) * std::abs(along) + (3 + 2 * distance_units) * square +
                       std::abs(power_.hi) * bend.from_line.units + 4 * std::abs(raised);
  nodes.add({sign() * bend.change.value, bend.change.units}, {along - square + raised, units});
}

double SampledNormalTilt::rough_log_density(double distance) const {
  const Bend bend = mixture_.bend(law_.mu.hi * distance, 2);
  return steepness_ * distance - distance * distance / 2 + power_.hi * bend.from_line.value;
}

// For powers >= 0: R less a line is convex, hence below its chord, and the rest is a parabola.
double SampledNormalTilt::chord_bound(double first, double last) const {
  const double left = power_.hi * mixture_.bend(law_.mu.hi * first, 2).from_line.value;
  const double right = power_.hi * mixture_.bend(law_.mu.hi * last, 2).from_line.value;
  const double slope = (right - left) / (last - first);
  const double top = std::clamp(steepness_ + slope, first, last);
  const double size = std::abs(steepness_ * first) + std::abs(steepness_ * last) + first * first + last * last;
  const double slack = 1e-9 + 1e-13 * (size + std::abs(left) + std::abs(right));
  return steepness_ * top - top * top / 2 + left + slope * (top - first) + slack;
}

void SampledNormalTilt::split(Range range, Ranges& result) const {
  const double width = range.last - range.first, bound = chord_bound(range.first, range.last);
  if (bound + std::log(width + 1) < negligible) {
    result.left_out += width * std::exp(bound);
    result.most += std::exp(bound);
  } else if (width > narrowest_split) {
    const double middle = 0.5 * (range.first + range.last);
    split({range.first, middle}, result);
    split({middle, range.last}, result);
  } else if (!result.kept.empty() && result.kept.back().last == range.first) {
    result.kept.back().last = range.last;
  } else {
    result.kept.push_back(range);
  }
}

// Right of power mu the log density falls more steeply than a normal one, left of 0 it rises so; the tails beyond
// far_out more are at most a tenth of the density there.
SampledNormalTilt::Ranges SampledNormalTilt::ranges_of_two_bulks() const {
  const double drift = power_.hi * law_.mu.hi;
  if (!(drift < greatest_drift)) return {{}, infinity, infinity};
  const Range whole{-far_out - place_.hi, drift + far_out - place_.hi};
  Ranges result;
  if (drift <= 12) {
    result.kept.push_back(whole);
  } else {
    split(whole, result);
  }
  result.left_out += 0.1 * (std::exp(rough_log_density(whole.first)) + std::exp(rough_log_density(whole.last)));
  return result;
}

// The least distance, about, at which the log density is negligible. It is concave, and its curvature at most -1.
double SampledNormalTilt::reach_down(double direction) const {
  double far = far_out + 1.1 * std::abs(peak_slope_) + 2 * std::abs(peak_ - place_.hi) + 0.1, near = 0;
  if (-power_.hi * law_.mu.hi * law_.mu.hi < 12) return far;
  for (int i = 0; i < 10; ++i) {
    const double middle = 0.5 * (near + far);
    (rough_log_density(direction * middle) < negligible ? far : near) = middle;
  }
  return far;
}

SampledNormalTilt::Ranges SampledNormalTilt::range_of_one_bulk() const {
  const double left = reach_down(-1), right = reach_down(1);
  const double at_left = rough_log_density(-left), at_right = rough_log_density(right);
  if (!(at_left < negligible / 2 && at_right < negligible / 2)) return {{}, infinity, infinity};
  // From value 0 it came down concavely, so it goes on at the mean slope at least.
  const double tails = left / -at_left * std::exp(at_left) + right / -at_right * std::exp(at_right);
  return {{{-left, right}}, 1.01 * tails, 0};
}

SampledNormalTilt::Ranges SampledNormalTilt::ranges() const {
  return power_.hi > 0 ? ranges_of_two_bulks() : range_of_one_bulk();
}

SampledNormalTilt::Rule SampledNormalTilt::rule_for(double reach) const {
  const double least_peak = peak_ - 1.01 * std::abs(peak_slope_) - 1e-6 * (1 + std::abs(peak_));
  const Trapezoid exact(law_.mu.hi, power_.hi, least_peak, reach);
  const double step = exact.step();
  if (!law_.lattice) return {step, false, exact.error(step)};
  const double scale = *law_.lattice;
  if (step * scale <= 1) return {1 / scale, true, 0};
  const double of_total = 4 * std::exp(-19.7 * scale * scale);  // 2 pi^2 > 19.7
  return {step, false, exact.error(step) + exact.error(1 / scale) + of_total};
}

Nodes SampledNormalTilt::nodes(double reach) const { return nodes_by(rule_for(reach)); }

Nodes SampledNormalTilt::nodes_by(const Rule& rule) const {
  const Ranges where = ranges();
  Nodes result;
  double expected = 0;
  for (const Range& range : where.kept) expected += (range.last - range.first) / rule.step + 1;
  if (!(expected < most_nodes) || std::isinf(where.left_out)) {
    result.set_missing(1);
    return result;
  }
  result.reserve(static_cast<std::size_t>(expected));
  for (const Range& range : where.kept) {
    const double last = std::floor(range.last / rule.step);
    for (double j = std::ceil(range.first / rule.step); j <= last; ++j) {
      add_node(result, rule.whole ? j / *law_.lattice : j * rule.step, rule.whole ? 1 : 0);
    }
  }
  result.leave_out(1.01 * (where.left_out / rule.step + where.most + where.left_out));
  const double log_step = std::log(rule.step), of_unit = 8 * unit_roundoff * (std::abs(log_step) + 1);
  result.set_unit(rule.whole ? -law_.log_total : log_step - half_log_two_pi,
                  rule.whole ? law_.log_total_error : of_unit);
  result.set_missing(rule.missing);
  return result;
}

// An upper sum of f abs(L - centre) over the range, in units of f at the anchor. On a cell the loss is monotone, and f
// is at most e^(width^2 / 8) times its value at an end; or, for negative powers, at most that, unless the peak is
// inside.
double SampledNormalTilt::mean_over(const Range& range, double shift) const {
  const double cells = std::clamp(std::ceil((range.last - range.first) / 0.1), 100.0, 1e5);
  const double width = (range.last - range.first) / cells, around = 1.01 * std::abs(peak_slope_) + 1e-9 + width;
  const double peak = peak_ - place_.hi, top = std::exp(rough_log_density(peak) + peak_slope_ * peak_slope_);
  double sum = 0, last_weight = 0, last_loss = 0;
  for (double j = 0; j <= cells; ++j) {
    const double distance = range.first + j * width;
    const bool at_peak = power_.hi < 0 && std::abs(distance - peak) <= around;
    const double weight = std::max(std::exp(rough_log_density(distance)), at_peak ? top : 0);
    const double loss = std::abs(sign() * mixture_.bend(law_.mu.hi * distance, 2).change.value + shift);
    if (j > 0) sum += std::max(weight, last_weight) * std::max(loss, last_loss);
    last_weight = weight, last_loss = loss;
  }
  const double share = law_.lattice ? width + 1 / *law_.lattice : width;  // a cell has so many points of a lattice
  return sum * share * std::exp(width * width / 8 + 1e-9);
}

double SampledNormalTilt::spread(const Nodes&, double centre, double log_total) const {
  if (law_.lattice && *law_.lattice < 40) {
    Nodes all = nodes_by({1 / *law_.lattice, true, 0});
    all.recentre(anchor_, centre);
    return all.absolute_mean();
  }
  const Ranges where = ranges();
  if (std::isinf(where.left_out) || !std::isfinite(log_total)) return infinity;
  const double shift = (anchor_.loss.hi - centre) + anchor_.loss.lo;
  const double farthest = law_.mu.hi * (std::abs(power_.hi * law_.mu.hi) + std::abs(place_.hi) + 4 * far_out);
  double sum = (where.left_out + where.most) * 2 * (farthest + std::abs(shift));
  for (const Range& range : where.kept) sum += mean_over(range, shift);
  const double scaled = std::exp(anchor_.log_weight - half_log_two_pi - log_total + anchor_.log_weight_error + 1e-9);
  return sum * scaled;
}

Decay SampledNormalTilt::decay(double log_total) const {
  const double mu = law_.mu.hi, power = power_.hi + 1;
  if (law_.lattice || !(std::abs(power * mu) < greatest_drift) || !std::isfinite(log_total)) return {1, 0};
  const double log_density =
      anchor_.log_weight - half_log_two_pi - std::log(mu) - mixture_.log_inside() - log_total;  // of the loss
  const LogisticPeaks peaks(law_.rate, mu, power, -mu);
  double variation = 0;
  for (const auto& peak : peaks) {
    const double distance = peak.left - place_.hi, width = peak.right - peak.left;
    const double bent = power * mixture_.bend(mu * distance, 2).from_line.value;
    const double along = (steepness_ + mu * (mixture_.line() - 1)) * distance, square = distance * distance / 2;
    const double rise = std::abs(peaks.slope(peak.left)) * width + std::max(0.0, power) * mu * mu * width * width;
    const double size = std::abs(along) + square + std::abs(bent) + std::abs(anchor_.log_weight) + std::abs(log_total);
    const double slack = 1e-9 + 1e-12 * (size + std::abs(mixture_.log_inside())) + anchor_.log_weight_error;
    variation += 2 * std::exp(log_density + along - square + bent + rise + slack);
  }
  return {0, variation};
}

double SampledNormalSource::greatest() const {
  if (law_.direction == Direction::remove || law_.rate == 1) return infinity;
  return -numeric::log1p_down(-law_.rate);
}

}  // namespace vernier::accounting
