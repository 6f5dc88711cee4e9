#pragma once

#include <optional>

#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/threshold.hpp"

namespace vernier::accuracy {

// Is P[abs(X) > a] at most the threshold?
template <class Law>
std::optional<bool> is_within_by_doubles(const Law& law, Point<Law> a, const Threshold& threshold) {
  const Bounds probability = outside(law, a);
  if (probability.upper <= threshold.bounds().lower) return true;
  if (probability.lower > threshold.bounds().upper) return false;
  return std::nullopt;
}
template <class Law>
std::optional<bool> is_within_by_balls(const Law& law, Point<Law> a, const Threshold& threshold,
                                       numeric::Precision precision) {
  const std::optional<bool> exceeds = less(threshold.ball(precision), outside(law, a, precision));
  if (!exceeds) return std::nullopt;
  return !*exceeds;
}

// The question as a grows: the law is given.
template <class Law>
struct WithinPoint {
  const Law& law;
  const Threshold& threshold;
  std::optional<bool> by_doubles(Point<Law> a) const { return is_within_by_doubles(law, a, threshold); }
  std::optional<bool> by_balls(Point<Law> a, numeric::Precision precision) const {
    return is_within_by_balls(law, a, threshold, precision);
  }
};

// The question as the scale falls: a is given. Searches go upward, so the scale comes with its sign turned. For each of
// the laws P[abs(X) > a] grows with the scale (accuracy.md).
template <class Law>
struct WithinAtScale {
  Point<Law> a;
  const Threshold& threshold;
  std::optional<bool> by_doubles(double minus_scale) const {
    return is_within_by_doubles(law_at<Law>(-minus_scale), a, threshold);
  }
  std::optional<bool> by_balls(double minus_scale, numeric::Precision precision) const {
    return is_within_by_balls(law_at<Law>(-minus_scale), a, threshold, precision);
  }
};

}  // namespace vernier::accuracy
