#include "vernier/noise/level_sampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vernier/numeric/double_double.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::DoubleDouble;

namespace {

constexpr double greatest_exponent = 300;  // exp(-300) with a low part that is no subnormal number
constexpr int most_bits = 63;              // of a distance
constexpr numeric::Precision figure_precision{128};

// Of positive numbers. Relative errors, u = 2^-53: 8 u^2 and 3 u^2 at most (Joldes, Muller and Popescu 2017).
DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = numeric::two_product(a.hi, b.hi);
  return numeric::quick_two_sum(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}
DoubleDouble sum(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble high = numeric::two_sum(a.hi, b.hi);
  return numeric::quick_two_sum(high.hi, high.lo + (a.lo + b.lo));
}

DoubleDouble nearest(const Ball& ball) {
  const double hi = ball.nearest();
  return {hi, (ball - Ball::of(hi, figure_precision)).nearest()};
}

// exp(-distance / (2 scale)) for distances that ascend, each from the one before by the powers of two of their
// difference: the C library's exp differs between machines. Each step adds 2^-96.8 to the relative error; below
// exp(-300) it is 0.
class Weights {
 public:
  // Of distances up to `farthest`.
  Weights(const Exponential& law, std::int64_t farthest) : scale_(law.scale()) {
    for (int bit = 0; farthest >> bit != 0 && !is_left_out(std::int64_t{1} << bit); ++bit) {
      powers_[static_cast<std::size_t>(bit)] = nearest(law.weight(std::int64_t{1} << bit, figure_precision));
    }
  }
  Weights(const Weights&) = delete;
  Weights& operator=(const Weights&) = delete;
  ~Weights() { random::wipe(std::as_writable_bytes(std::span(&weight_, 1))); }

  DoubleDouble of(std::int64_t distance) {
    if (is_left_out(distance)) return {0, 0};
    const std::int64_t further = distance - distance_;
    for (std::size_t bit = 0; further >> bit != 0; ++bit) {
      if ((further >> bit & 1) != 0) weight_ = product(weight_, powers_[bit]);
    }
    distance_ = distance;
    return weight_;
  }

 private:
  bool is_left_out(std::int64_t distance) const {
    return static_cast<double>(distance) / (2 * scale_) > greatest_exponent;
  }

  double scale_;
  std::array<DoubleDouble, most_bits> powers_{};
  DoubleDouble weight_{1, 0};
  std::int64_t distance_ = 0;
};

Part part_of(const DoubleDouble& share) {
  constexpr double unit = 0x1p120;
  return static_cast<Part>(share.hi * unit) + static_cast<Part>(share.lo * unit);
}

Ball exact_weight(const Exponential& law, const Level& level, numeric::Precision precision) {
  return Ball::of(level.candidates, precision) * law.weight(level.distance, precision);
}

}  // namespace

std::optional<std::size_t> certain_level(const Exponential& law, std::span<const Level> levels,
                                         const numeric::LazyUniform& uniform, numeric::Precision precision) {
  Ball total = Ball::of(0, precision);
  for (const Level& level : levels) total = total + exact_weight(law, level, precision);
  const Ball point = uniform.ball(precision) * total;
  Ball sum = Ball::of(0, precision);
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    sum = sum + exact_weight(law, levels[i], precision);
    const auto below = less(point, sum);
    if (!below) return std::nullopt;
    if (*below) return i;
  }
  return levels.size() - 1;
}

LevelSampler::LevelSampler(const Exponential& law, random::Wiped<Level> levels)
    : law_(law), levels_(std::move(levels)), error_((static_cast<Part>(levels_.size() + 1) << 25) + 2) {
  random::Wiped<DoubleDouble> sums;
  sums.reserve(levels_.size());
  Weights weights(law, levels_.back().distance);
  DoubleDouble all{0, 0};
  for (const Level& level : levels_) {
    all = sum(all, numeric::product(weights.of(level.distance), static_cast<double>(level.candidates)));
    sums.push_back(all);
  }
  reached_.reserve(levels_.size());
  for (const DoubleDouble& up_to : sums) {
    const Part part = part_of(numeric::quotient(up_to, all));
    reached_.push_back(reached_.empty() ? part : std::max(part, reached_.back()));
  }
}

std::optional<std::size_t> LevelSampler::quick_level(std::uint64_t word) const {
  const Part low = static_cast<Part>(word) << 56;
  return level_within(low, low + (Part{1} << 56));
}

std::optional<std::size_t> LevelSampler::quick_level(std::uint64_t word, std::uint64_t more) const {
  const Part low = static_cast<Part>(word) << 56 | static_cast<Part>(more >> 8);
  return level_within(low, low + 1);
}

std::optional<std::size_t> LevelSampler::level_within(Part low, Part high) const {
  const auto found = std::upper_bound(reached_.begin(), reached_.end(), low);
  const std::size_t i = std::min(static_cast<std::size_t>(found - reached_.begin()), reached_.size() - 1);
  const bool is_above = i == 0 || reached_[i - 1] + error_ <= low;
  const bool is_below = i + 1 == reached_.size() || high <= reached_[i] - error_;
  return is_above && is_below ? std::optional(i) : std::nullopt;
}

}  // namespace vernier::noise
