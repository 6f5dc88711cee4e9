#pragma once

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/key_rule.hpp"

namespace vernier::accounting {

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
