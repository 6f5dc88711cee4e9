#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/random/source.hpp"

namespace vernier::testing {

// Hands out the given words in their order; an error of kind `entropy` when they run out. The words that a failed fill
// would have begun with are not used up.
class ScriptedBits {
 public:
  explicit ScriptedBits(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

  Result<void> fill(std::span<std::uint64_t> words);
  Result<std::uint64_t> next();
  Result<std::array<std::uint64_t, 2>> next_two();
  Result<void> refresh() { return {}; }  // the script goes on

  std::size_t left() const { return words_.size() - used_; }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t used_ = 0;
};

using ScriptedSource = random::BasicSource<ScriptedBits>;

ScriptedSource scripted_source(std::vector<std::uint64_t> draws, std::vector<std::uint64_t> extensions = {});

}  // namespace vernier::testing
