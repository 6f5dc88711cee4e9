#pragma once

#include <cstdint>
#include <span>

#include "vernier/random/wiped.hpp"

namespace vernier::release {

// Integers that are wiped when they go, and cannot be copied.
class Integers {
 public:
  explicit Integers(std::size_t count) : values_(count) {}
  Integers(Integers&&) = default;
  Integers& operator=(Integers&&) = delete;
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;
  ~Integers() = default;

  std::span<std::int64_t> all() { return values_; }
  std::span<const std::int64_t> all() const { return values_; }

 private:
  random::Wiped<std::int64_t> values_;
};

}  // namespace vernier::release
