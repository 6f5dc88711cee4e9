#include "support/scripted_bits.hpp"

#include <algorithm>
#include <utility>

namespace vernier::testing {

Result<void> ScriptedBits::fill(std::span<std::uint64_t> words) {
  std::ranges::fill(words, 0);
  if (words.size() > left()) return fail(ErrorKind::entropy, "the script of random words has run out");
  std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(used_), words.size(), words.begin());
  used_ += words.size();
  return {};
}

Result<std::uint64_t> ScriptedBits::next() {
  std::uint64_t word = 0;
  return fill({&word, 1}).map([&] { return word; });
}

Result<std::array<std::uint64_t, 2>> ScriptedBits::next_two() {
  std::array<std::uint64_t, 2> words{};
  return fill(words).map([&] { return words; });
}

ScriptedSource scripted_source(std::vector<std::uint64_t> draws, std::vector<std::uint64_t> extensions) {
  return {ScriptedBits(std::move(draws)), ScriptedBits(std::move(extensions))};
}

}  // namespace vernier::testing
