#include "vernier/accounting/loss/normal_ranges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
  if (bound + std::log(width + 1) < negligible) {
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
    (density.rough_log_density(direction * middle) < negligible ? far : near) = middle;
  }
  return far;
}

NormalRanges range_of_one_bulk(const TiltedNormal& density) {
  const double left = reach_down(density, -1), right = reach_down(density, 1);
  const double at_left = density.rough_log_density(-left), at_right = density.rough_log_density(right);
  if (!(at_left < negligible / 2 && at_right < negligible / 2)) return {{}, infinity, infinity};
  // From value 0 it came down concavely, so it goes on at the mean slope at least.
  const double tails = left / -at_left * std::exp(at_left) + right / -at_right * std::exp(at_right);
  return {{{-left, right}}, 1.01 * tails, 1.01 * (std::exp(at_left) + std::exp(at_right))};
}

}  // namespace

NormalRanges ranges_of(const TiltedNormal& density) {
  return density.power() > 0 ? ranges_of_two_bulks(density) : range_of_one_bulk(density);
}

}  // namespace vernier::accounting
