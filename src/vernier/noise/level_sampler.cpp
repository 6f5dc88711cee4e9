#include "vernier/noise/level_sampler.hpp"

#include <algorithm>
#include <array>

namespace vernier::noise {

using numeric::Ball;

namespace {

constexpr double greatest_exponent = 708;
constexpr int most_bits = 63;  // of a distance
constexpr numeric::Precision figure_precision{128};

// exp(-distance / (2 scale)) as a double, from those of the powers of two: the C library's exp differs between
// machines. Relative error below 130 u, u = 2^-53, or below exp(-708) in all where it is left out.
class PlainWeights {
 public:
  // Of distances up to `farthest`.
  PlainWeights(const Exponential& law, std::int64_t farthest) : scale_(law.scale()) {
    for (int bit = 0; farthest >> bit != 0 && !is_left_out(std::int64_t{1} << bit); ++bit) {
      powers_[static_cast<std::size_t>(bit)] = law.weight(std::int64_t{1} << bit, figure_precision).nearest();
    }
  }

  double of(std::int64_t distance) const {
    if (is_left_out(distance)) return 0;
    double weight = 1;
    for (std::size_t bit = 0; distance >> bit != 0; ++bit) {
      if ((distance >> bit & 1) != 0) weight *= powers_[bit];
    }
    return weight;
  }

 private:
  bool is_left_out(std::int64_t distance) const {
    return static_cast<double>(distance) / (2 * scale_) > greatest_exponent;
  }

  double scale_;
  std::array<double, most_bits> powers_{};
};

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

LevelSampler::LevelSampler(const Exponential& law, std::vector<Level> levels)
    : law_(law), levels_(std::move(levels)), slack_(std::ldexp(static_cast<double>(levels_.size()) + 1500, -51)) {
  reached_.reserve(levels_.size());
  const PlainWeights weights(law, levels_.back().distance);
  double sum = 0;
  for (const Level& level : levels_) {
    reached_.push_back(sum += static_cast<double>(level.candidates) * weights.of(level.distance));
  }
  for (double& part : reached_) part /= sum;
}

LevelSampler::~LevelSampler() {
  random::wipe(std::as_writable_bytes(std::span(levels_)));
  random::wipe(std::as_writable_bytes(std::span(reached_)));
}

// The uniform lies in [low, high); both are doubles.
std::optional<std::size_t> LevelSampler::quick_level(std::uint64_t word) const {
  const double low = std::ldexp(static_cast<double>(word >> 11), -53);
  const double high = low + 0x1p-53;
  const auto found = std::upper_bound(reached_.begin(), reached_.end(), low);
  const std::size_t i = std::min(static_cast<std::size_t>(found - reached_.begin()), reached_.size() - 1);
  const bool is_above = i == 0 || reached_[i - 1] * (1 + slack_) <= low;
  const bool is_below = i + 1 == reached_.size() || high <= reached_[i] * (1 - slack_);
  return is_above && is_below ? std::optional(i) : std::nullopt;
}

}  // namespace vernier::noise
