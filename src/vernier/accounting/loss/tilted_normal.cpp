#include "vernier/accounting/loss/tilted_normal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/split_quotient.hpp"

namespace vernier::accounting {

LogisticPeaks::LogisticPeaks(double rate, double mu, double power, double shift)
    : mu_(mu), power_(power), shift_(shift), log_odds_(std::log(rate) - std::log1p(-rate) - mu * mu / 2) {
  const double first = std::min(shift, shift + power * mu), last = std::max(shift, shift + power * mu);
  const double steepness = power * mu * mu;
  if (!(steepness > 4) || std::isinf(log_odds_)) {
    add_peak_between(first, last);
    return;
  }
  // The slope rises only where share (1 - share) > 1 / steepness: between these two.
  const double root = std::sqrt(1 - 4 / steepness);
  const double middle = -log_odds_ / mu, half = (2 * std::log1p(root) - std::log(4 / steepness)) / mu;
  const double rises = middle - half, falls = middle + half;
  if (rises > first && slope(rises) <= 0) add_peak_between(first, rises);
  if (falls < last && slope(falls) >= 0) add_peak_between(falls, last);
  if (count_ == 0) add_peak_between(first, last);
}

double LogisticPeaks::share(double x) const { return 1 / (1 + std::exp(-(log_odds_ + mu_ * x))); }

double LogisticPeaks::slope(double x) const { return shift_ - x + power_ * mu_ * share(x); }

// Newton's steps inside a bracket that also shrinks by halving.
void LogisticPeaks::add_peak_between(double left, double right) {
  double x = 0.5 * (left + right);
  for (int step = 0; step < 100 && right - left > 1e-3 / (1 + mu_); ++step) {
    const double s = slope(x), p = share(x), bend = -1 + power_ * mu_ * mu_ * p * (1 - p);
    (s > 0 ? left : right) = x;
    const double newton = x - s / bend, nudge = (s > 0 ? 2e-4 : -2e-4) / (1 + mu_);
    const bool use = bend < 0 && newton + nudge > left && newton + nudge < right && step % 4 != 3;
    x = use ? newton + nudge : 0.5 * (left + right);
  }
  peaks_[count_++] = {left, right};
}

namespace {

using numeric::DoubleDouble;
using numeric::unit_roundoff;

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

double best_peak(const SampledNormal& law, double power, const LogisticPeaks& peaks) {
  const double mu = law.mu.hi;
  double best = 0, best_value = -std::numeric_limits<double>::infinity();
  for (const auto& peak : peaks) {
    const double x = 0.5 * (peak.left + peak.right);
    if (peaks.end() - peaks.begin() == 1) return x;
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

TiltedNormal::TiltedNormal(const SampledNormal& law, double theta)
    : TiltedNormal(law, law.direction == Direction::remove ? numeric::two_sum(1, theta) : DoubleDouble{-theta, 0},
                   LogisticPeaks(law.rate, law.mu.hi, law.direction == Direction::remove ? 1 + theta : -theta, 0)) {}

TiltedNormal::TiltedNormal(const SampledNormal& law, const DoubleDouble& power, const LogisticPeaks& peaks)
    : law_(law),
      power_(power),
      peak_(best_peak(law, power.hi, peaks)),
      peak_slope_(peaks.slope(peak_)),
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

TiltedNormal::Term TiltedNormal::term(double distance, double distance_units) const {
  const double move = std::fma(law_.mu.hi, distance, law_.mu.lo * distance);
  const Bend bend = mixture_.bend(move, 1.1 + distance_units);
  const double along = steepness_ * distance, square = distance * distance / 2;
  const double raised = power_.hi * bend.from_line.value, log_density = along - square + raised;
  const double units = (4 + distance_units) * std::abs(along) + (3 + 2 * distance_units) * square +
                       std::abs(power_.hi) * bend.from_line.units + 4 * std::abs(raised);
  return {bend.change, {log_density, units}, std::exp(log_density)};
}

NormalTermParameters TiltedNormal::term_parameters(double distance_units) const {
  return {.mu = law_.mu.hi,
          .mu_rest = law_.mu.lo,
          .share = std::min(mixture_.inside(), mixture_.outside()),
          .line = mixture_.line(),
          .share_units = 2 * Mixture::share_units,
          .power = power_.hi,
          .steepness = steepness_,
          .distance_units = distance_units};
}

double TiltedNormal::rough_log_density(double distance) const {
  const Bend bend = mixture_.bend(law_.mu.hi * distance, 2);
  return steepness_ * distance - distance * distance / 2 + power_.hi * bend.from_line.value;
}

// For powers >= 0: R less a line is convex, hence below its chord, and the rest is a parabola.
double TiltedNormal::chord_bound(double first, double last) const {
  const double left = power_.hi * mixture_.bend(law_.mu.hi * first, 2).from_line.value;
  const double right = power_.hi * mixture_.bend(law_.mu.hi * last, 2).from_line.value;
  const double slope = (right - left) / (last - first);
  const double top = std::clamp(steepness_ + slope, first, last);
  const double size = std::abs(steepness_ * first) + std::abs(steepness_ * last) + first * first + last * last;
  const double slack = 1e-9 + 1e-13 * (size + std::abs(left) + std::abs(right));
  return steepness_ * top - top * top / 2 + left + slope * (top - first) + slack;
}

}  // namespace vernier::accounting
