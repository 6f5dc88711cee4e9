#include "vernier/denoise/estimators.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace vernier::denoise {
namespace {

// Towards a centre that takes `learned` of the d directions: 0 none, the mean one. With r = d - 2 - learned and s the
// squared distance from the centre over the variance, the factor is 1 - r / s, and Stein's estimate of the risk is
// d - r^2 / s beyond s = r and s - d + 2 learned before (Efron and Morris 1973; Stein 1981).
Shrunk shrunk(std::span<const double> numbers, double variance, double centre, double learned) {
  const auto d = static_cast<double>(numbers.size());
  const double r = d - 2 - learned;
  double s = 0;
  for (const double y : numbers) s += (y - centre) * (y - centre) / variance;
  const double factor = s > r ? 1 - r / s : 0;
  Shrunk found{{}, (s > r ? d - r * r / s : s - d + 2 * learned) / d};
  found.values.reserve(numbers.size());
  for (const double y : numbers) found.values.push_back(centre + factor * (y - centre));
  return found;
}

}  // namespace

Shrunk shrunk_to_zero(std::span<const double> numbers, double variance) { return shrunk(numbers, variance, 0, 0); }

Shrunk shrunk_to_mean(std::span<const double> numbers, double variance) {
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  return shrunk(numbers, variance, sum / static_cast<double>(numbers.size()), 1);
}

namespace {

// How much of a number is told: none of what lies below 0.
double told(double y) { return y > 0 ? 1 : y == 0 ? 0.5 : 0; }

// What was made of counts, with the sum over numbers of what each one's value gains by the number itself.
struct Moved {
  std::vector<double> values;
  double gains = 0;

  void add(double value, double gain) {
    values.push_back(std::max(value, 0.0));
    gains += gain * told(value);
  }
};

// Stein: the mean of (value - y)^2 / v + 2 gain, less the same of max(y, 0).
Shrunk compared(Moved moved, std::span<const double> numbers, double variance) {
  double change = 2 * moved.gains;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double by = moved.values[i] - numbers[i], cut = std::min(numbers[i], 0.0);
    change += (by * by - cut * cut) / variance - 2 * told(numbers[i]);
  }
  return {std::move(moved.values), change / static_cast<double>(numbers.size())};
}

// As `shrunk`; a value gains 1 / d of the mean, the factor of what is left, and what the factor itself gains.
Shrunk cut_towards(std::span<const double> numbers, double variance, double centre, double learned) {
  const auto d = static_cast<double>(numbers.size());
  const double r = d - 2 - learned, of_centre = learned / d;
  double s = 0;
  for (const double y : numbers) s += (y - centre) * (y - centre) / variance;
  const double factor = s > r ? 1 - r / s : 0, growth = s > r ? 2 * r / (s * s) / variance : 0;
  Moved moved;
  for (const double y : numbers) {
    const double away = y - centre;
    moved.add(centre + factor * away, of_centre + factor * (1 - of_centre) + growth * away * away);
  }
  return compared(std::move(moved), numbers, variance);
}

}  // namespace

Shrunk cut_to_zero(std::span<const double> numbers, double variance) { return cut_towards(numbers, variance, 0, 0); }

Shrunk cut_to_mean(std::span<const double> numbers, double variance) {
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  return cut_towards(numbers, variance, sum / static_cast<double>(numbers.size()), 1);
}

Shrunk cut_to_least(std::span<const double> numbers, double variance) {
  double least = HUGE_VAL, k = 0, s = 0;
  for (const double y : numbers) {
    if (y > 0) least = std::min(least, y), ++k;
  }
  for (const double y : numbers) s += y > 0 ? (y - least) * (y - least) / variance : 0;
  const double r = std::max(k - 3, 0.0);
  const double factor = r == 0 ? 1 : s > r ? 1 - r / s : 0;
  const double growth = factor > 0 && r > 0 ? 2 * r / (s * s) / variance : 0;
  Moved moved;
  bool is_centre_seen = false;
  for (const double y : numbers) {
    const double away = y - least;
    const bool is_centre = away == 0 && !std::exchange(is_centre_seen, true);
    if (y <= 0 || is_centre) {
      moved.add(y, 1);
    } else {
      moved.add(least + factor * away, factor + growth * away * away);
    }
  }
  return compared(std::move(moved), numbers, variance);
}

namespace {

using Numbers = std::vector<double>;

// For each threshold t the sum over sizes a of P[abs(a + N) > t], with a fresh noise N for the geometric law and none
// for the Gaussian, smoothed over the neighbours of t as the lattice asks (denoise.md); d at t = 0. Both lists ascend
// and hold whole numbers. Of one side P[a + N > t], over the numbers themselves.
Numbers beyond(const noise::DiscreteGaussian&, const Numbers& sizes, const Numbers& thresholds, Side side) {
  const auto below = [&](double m) { return std::ranges::lower_bound(sizes, m) - sizes.begin(); };
  const auto from = [&](double m) {  // of all numbers and their mirror images
    const auto count = static_cast<std::ptrdiff_t>(sizes.size()) - below(m);
    return static_cast<double>(side == Side::both ? count + below(1 - m) : count);
  };
  Numbers sums;
  for (const double t : thresholds) sums.push_back((7 * (from(t) + from(t + 1)) - from(t - 1) - from(t + 2)) / 12);
  return sums;
}

// With q = exp(-1 / scale) the term is (q^(t-a) + q^(t+a)) / 2 for a <= t and 1 - (q^(a-t) - q^(a+t)) / 2 beyond, the
// same as for a Laplace N. What decays upwards is summed upwards, the rest downwards, so that no power overflows.
Numbers beyond(const noise::Geometric& law, const Numbers& sizes, const Numbers& thresholds, Side side) {
  const auto power = [&](double m) { return std::exp(-m / law.scale()); };
  double mirrored = 0;
  for (const double a : sizes) mirrored += side == Side::both ? power(a) / 2 : 0;
  Numbers sums(thresholds.size());
  double decayed = 0, last = 0;
  std::size_t i = 0;
  for (std::size_t k = 0; k < thresholds.size(); last = thresholds[k++]) {
    decayed *= power(thresholds[k] - last);
    for (; i < sizes.size() && sizes[i] <= thresholds[k]; ++i) decayed += power(thresholds[k] - sizes[i]) / 2;
    sums[k] = static_cast<double>(sizes.size() - i) + decayed + mirrored * power(thresholds[k]);
  }
  decayed = 0;
  i = sizes.size();
  for (std::size_t k = thresholds.size(); k-- > 0; last = thresholds[k]) {
    decayed *= power(last - thresholds[k]);
    for (; i > 0 && sizes[i - 1] > thresholds[k]; --i) decayed += power(sizes[i - 1] - thresholds[k]) / 2;
    sums[k] -= decayed;
  }
  return sums;
}

// For each threshold the sum of min(a, t)^2; of one side also of what lies below 0.
Numbers squares_within(const Numbers& sizes, const Numbers& thresholds) {
  Numbers sums;
  double inside = 0;
  std::size_t i = 0;
  for (const double t : thresholds) {
    for (; i < sizes.size() && sizes[i] <= t; ++i) inside += sizes[i] * sizes[i];
    sums.push_back(inside + static_cast<double>(sizes.size() - i) * t * t);
  }
  return sums;
}

}  // namespace

std::vector<double> soft_thresholded(std::span<const double> numbers, double threshold, Side side) {
  std::vector<double> moved;
  moved.reserve(numbers.size());
  for (const double y : numbers) {
    const double left = std::max((side == Side::both ? std::abs(y) : y) - threshold, 0.0);
    moved.push_back((side == Side::both ? std::copysign(left, y) : left) + 0.0);
  }
  return moved;
}

double universal_threshold(std::size_t numbers, double variance) {
  return std::sqrt(2 * variance * std::log(static_cast<double>(numbers)));
}

template <class Law>
ThresholdRisk<Law>::ThresholdRisk(std::span<const double> numbers, const Law& law, Side side)
    : law_(law), variance_(law.variance().upper), side_(side) {
  sizes_.reserve(numbers.size());
  for (const double y : numbers) sizes_.push_back(side == Side::both ? std::abs(y) : y);
  std::ranges::sort(sizes_);
}

// Sum of min(abs(y), t)^2 - d v + 2 v * beyond, over d v.
template <class Law>
std::vector<double> ThresholdRisk<Law>::at_whole(const std::vector<double>& thresholds) const {
  const auto d = static_cast<double>(sizes_.size());
  Numbers risks = squares_within(sizes_, thresholds);
  const Numbers beyonds = beyond(law_, sizes_, thresholds, side_);
  for (std::size_t k = 0; k < risks.size(); ++k) risks[k] = risks[k] / (d * variance_) - 1 + 2 * beyonds[k] / d;
  return risks;
}

// Between whole numbers the threshold's effect on a whole number is linear, and so is `beyond`.
template <class Law>
double ThresholdRisk<Law>::at(double threshold) const {
  const auto d = static_cast<double>(sizes_.size());
  const double part = threshold - std::floor(threshold);
  const Numbers beyonds = beyond(law_, sizes_, {std::floor(threshold), std::floor(threshold) + 1}, side_);
  const double squares = squares_within(sizes_, {threshold}).front();
  return squares / (d * variance_) - 1 + 2 * std::lerp(beyonds[0], beyonds[1], part) / d;
}

template <class Law>
std::vector<double> ThresholdRisk<Law>::candidates() const {
  Numbers all{0, std::max(sizes_.back(), 0.0) + std::ceil(40 * law_.scale()) + 1};
  for (const double a : sizes_) {
    if (a >= 0) all.insert(all.end(), {a, a + 1});
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

template <class Law>
Threshold ThresholdRisk<Law>::least() const {
  const Numbers all = candidates();
  const Numbers risks = at_whole(all);
  const auto best = std::ranges::min_element(risks);
  return {all[static_cast<std::size_t>(best - risks.begin())], *best};
}

namespace {

// 1 + the mean of min(y, 0)^2 / v - 2 B(y), B the chance that the identity gives to be below 0.
template <class Below>
double risk_with(std::span<const double> numbers, double variance, const Below& below) {
  double sum = 0;
  for (const double y : numbers) {
    const double cut = std::min(y, 0.0);
    sum += cut * cut / variance - 2 * below(y);
  }
  return 1 + sum / static_cast<double>(std::max<std::size_t>(numbers.size(), 1));
}

}  // namespace

// P[y + X' < 0] + P[y + X' = 0] / 2, X' a fresh draw, is that of a Laplace draw: q^y / 2 from 0 on.
double risk_from_zero(std::span<const double> numbers, const noise::Geometric& law) {
  return risk_with(numbers, law.variance().upper, [&](double y) {
    const double half = std::exp(-std::abs(y) / law.scale()) / 2;
    return y >= 0 ? half : 1 - half;
  });
}

// The step at 0, spread over its neighbours as the lattice asks: 1, 13/12, 1/2, -1/12, 0 at -2, -1, 0, 1, 2.
double risk_from_zero(std::span<const double> numbers, const noise::DiscreteGaussian& law) {
  return risk_with(numbers, law.variance().upper, [](double y) {
    if (std::abs(y) >= 2) return y < 0 ? 1.0 : 0.0;
    return y < 0 ? 13.0 / 12 : (y > 0 ? -1.0 / 12 : 0.5);
  });
}

template class ThresholdRisk<noise::Geometric>;
template class ThresholdRisk<noise::DiscreteGaussian>;

}  // namespace vernier::denoise
