#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vernier/engine/arrow/column.hpp"

namespace vernier::engine {

// The bytes of every buffer of an array of this kind, as far as its length and its values reach; without data where
// there is no such buffer. The array has the buffers of its kind; of kind `other` nothing is known, and nothing is
// given.
std::vector<std::string_view> buffers_of(const ArrowArray& array, ArrowKind kind);

// Of the rows that are given at one time: a number that is another one when one of these bytes is, but with a
// probability of 2^-64 for changes that nobody has aimed at it.
class Fingerprint {
 public:
  void add(std::string_view bytes);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x9E3779B97F4A7C15U;
};

// Of the columns of these names, in any case; of those that can be read.
std::uint64_t fingerprint_of(const ArrowTable& table, const std::vector<std::string>& names);

}  // namespace vernier::engine
