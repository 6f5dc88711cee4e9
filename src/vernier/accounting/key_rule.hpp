#pragma once

#include <cstdint>

#include "vernier/accounting/event.hpp"
#include "vernier/core/types.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// When a key that was found in the data is published: where the number of units that have it, plus noise, is at least
// the threshold. The one place that says so, for the decision and for its probability alike. key_rule.md has what a
// release by this rule gives away.
class KeyRule {
 public:
  explicit KeyRule(std::int64_t threshold) : threshold_(threshold) {}  // from 1 to 2^53

  bool keeps(std::int64_t noisy_count) const { return noisy_count >= threshold_; }

  // The chance that a key of so many units is published. The Law is symmetric, with outside(x) = P[abs(X) > x].
  template <class Law>
  Bounds chance(const Law& noise, std::int64_t units) const {
    const std::int64_t least = least_noise_kept(units);
    return least > 0 ? half(noise.outside(least - 1)) : rest(half(noise.outside(-least)));
  }

  // The chance that a key which one unit alone has is published, and so tells that the unit is there.
  template <class Law>
  Bounds escape(const Law& noise) const {
    return chance(noise, 1);
  }

 private:
  // Exact, but near the least doubles, which have no halves: these round outward.
  static Bounds half(Bounds whole) {
    constexpr double plain = 1e-300;
    return {whole.lower < plain ? 0 : whole.lower / 2, whole.upper < plain ? whole.upper : whole.upper / 2};
  }

  static Bounds rest(Bounds part) {
    return {numeric::subtract_down(1, part.upper), numeric::subtract_up(1, part.lower)};
  }

  // keeps(units + noise) exactly from here on.
  std::int64_t least_noise_kept(std::int64_t units) const { return threshold_ - units; }
  std::int64_t threshold_;
};

// How many keys one unit touches, if it has at most `groups`: it may leave as many as it joins when it is replaced.
inline std::int64_t touched_keys(std::int64_t groups, privacy::Neighbours neighbours) {
  return neighbours == privacy::Neighbours::replace ? 2 * groups : groups;
}

// The chance that a key which one unit alone has is published.
inline Bounds escape_probability(const KeySelection& keys) {
  const KeyRule rule(keys.threshold());
  return std::visit([&](const auto& noise) { return rule.escape(noise.law()); }, keys.noise());
}

// How many keys one unit touches.
inline double touched_keys(const KeySelection& keys, privacy::Neighbours neighbours) {
  return static_cast<double>(touched_keys(keys.groups(), neighbours));
}

}  // namespace vernier::accounting
