#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "vernier/core/result.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/numeric/lazy_uniform.hpp"
#include "vernier/random/source.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::noise {

// So many candidates at this distance.
struct Level {
  std::int64_t distance;
  std::int64_t candidates;
};

// A part of 1, in units of 2^-120.
__extension__ using Part = __int128;

// The level in which `uniform` falls, or none while its bits and the precision leave that open.
std::optional<std::size_t> certain_level(const Exponential& law, std::span<const Level> levels,
                                         const numeric::LazyUniform& uniform, numeric::Precision precision);

// Exactly, from any source of bits.
template <int WordBits = 64, class Bits>
[[gnu::noinline]] Result<std::size_t> exact_level(const Exponential& law, std::span<const Level> levels,
                                                  numeric::LazyUniform uniform, Bits& more) {
  for (long bits = 128;; bits += 64) {
    if (const auto level = certain_level(law, levels, uniform, {bits})) return *level;
    VERNIER_TRY(uniform.extend<WordBits>(more));
  }
}

// Draws level i with probability proportional to candidates * exp(-distance / (2 scale)), exactly. The levels ascend,
// the first has distance 0, and each has from 1 to 2^53 candidates. Sums of 100 bits decide what they can decide with
// certainty: 64 random bits leave one draw in 2^63 / levels open, 64 more one in 2^94 / levels^2, both in the time of a
// binary search (exponential.md, section 4); balls with more random bits decide the rest. Wiped when it goes.
class LevelSampler {
 public:
  LevelSampler(const Exponential& law, random::Wiped<Level> levels);
  LevelSampler(const LevelSampler&) = delete;
  LevelSampler& operator=(const LevelSampler&) = delete;

  template <class Stream>
  Result<std::size_t> draw(random::BasicSource<Stream>& source) const {
    VERNIER_TRY(const auto word, source.draws.next());
    if (const auto level = quick_level(word)) return *level;
    VERNIER_TRY(const auto more, source.extensions.next());
    if (const auto level = quick_level(word, more)) return *level;
    numeric::LazyUniform uniform(word, 64);
    uniform.append(more, 64);
    return exact_level(law_, levels_, uniform, source.extensions);
  }

  std::int64_t candidates(std::size_t level) const { return levels_[level].candidates; }

  // What is certain of the uniform that begins with these 64 bits, or with these 64 and those.
  std::optional<std::size_t> quick_level(std::uint64_t word) const;
  std::optional<std::size_t> quick_level(std::uint64_t word, std::uint64_t more) const;

 private:
  std::optional<std::size_t> level_within(Part low, Part high) const;  // of a uniform from low up to below high

  Exponential law_;
  random::Wiped<Level> levels_;
  random::Wiped<Part> reached_;  // of each level: the part of all weight up to and with it; ascending
  Part error_;                   // of these, at most
};

// A whole number in [0, count), each with the same chance; Lemire 2019.
template <class Bits>
Result<std::uint64_t> uniform_below(std::uint64_t count, Bits& bits) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t surplus = -count % count;  // 2^64 mod count: so many low products are refused
  for (;;) {
    VERNIER_TRY(const auto word, bits.next());
    const Wide product = static_cast<Wide>(word) * count;
    if (static_cast<std::uint64_t>(product) >= surplus) return static_cast<std::uint64_t>(product >> 64);
  }
}

// One of the candidates that a choice lists by levels, with exactly its probability.
template <class Choice, class Stream>
auto draw_candidate(const Exponential& law, const Choice& choice, random::BasicSource<Stream>& source)
    -> Result<decltype(choice.candidate(0, 0))> {
  const LevelSampler sampler(law, choice.levels());
  VERNIER_TRY(const auto level, sampler.draw(source));
  VERNIER_TRY(const auto place, uniform_below(static_cast<std::uint64_t>(sampler.candidates(level)), source.draws));
  return choice.candidate(level, static_cast<std::int64_t>(place));
}

}  // namespace vernier::noise
