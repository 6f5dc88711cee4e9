#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/parameters.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/search.hpp"

// Searches over a question whose answer changes once, from no to yes, as x grows. A Question has
//     std::optional<bool> by_doubles(x) const;              certain answers only
//     std::optional<bool> by_balls(x, Precision) const;
namespace vernier::accuracy {

// The certain answer. What 4096 bits leave open counts as no, the safe side.
template <class Question, class X>
bool certainly(const Question& question, X x) {
  if (const std::optional<bool> clear = question.by_doubles(x)) return *clear;
  for (long bits = 128; bits <= 4096; bits *= 2) {
    if (const std::optional<bool> decided = question.by_balls(x, numeric::Precision{bits})) return *decided;
  }
  return false;
}

// The least whole number from 0 on with the answer yes, exactly.
template <class Question>
Result<std::int64_t> least_whole(const Question& question, double guess) {
  constexpr double greatest_guess = 9e18;
  const auto start = guess > 0 ? static_cast<std::int64_t>(std::min(std::ceil(guess), greatest_guess)) : 0;
  return numeric::least_integer([&](std::int64_t x) { return certainly(question, x); }, start,
                                {0, std::numeric_limits<std::int64_t>::max()});
}

// A double with the answer yes, at most 2^-41 above the least one relatively. A good guess takes two answers, a fair
// one four, any other a search for the least itself.
template <class Question>
Result<double> least_real(const Question& question, double guess, numeric::DoubleRange range) {
  for (const double nudge : {0x1p-44, 0x1p-42}) {
    const double below = guess - nudge * std::abs(guess);
    const double above = guess + nudge * std::abs(guess);
    const bool is_inside = below > range.first && above < range.last;
    if (is_inside && certainly(question, above) && !certainly(question, below)) return above;
  }
  return numeric::least_double([&](double x) { return certainly(question, x); }, guess, range);
}

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
