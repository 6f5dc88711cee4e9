#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

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

// The level in which `uniform` falls, or none while its bits and the precision leave that open.
std::optional<std::size_t> certain_level(const Exponential& law, std::span<const Level> levels,
                                         const numeric::LazyUniform& uniform, numeric::Precision precision);

// Exactly, from any source of bits.
template <int WordBits = 64, class Bits>
[[gnu::noinline]] Result<std::size_t> exact_level(const Exponential& law, std::span<const Level> levels,
                                                  numeric::LazyUniform uniform, Bits& more) {
  for (long bits = 128;; bits += 64) {
    if (const auto level = certain_level(law, levels, uniform, {bits})) return *level;
    if (auto extended = uniform.extend<WordBits>(more); !extended) return Failure(extended.error());
  }
}

// Draws level i with probability proportional to candidates * exp(-distance / (2 scale)), exactly. The levels ascend,
// the first has distance 0, and each has from 1 to 2^53 candidates. Doubles decide what they can decide with certainty;
// the rest, about one draw in 2^50 / levels, is decided by balls with more random bits. Wiped when it goes.
class LevelSampler {
 public:
  LevelSampler(const Exponential& law, std::vector<Level> levels);
  LevelSampler(const LevelSampler&) = delete;
  LevelSampler& operator=(const LevelSampler&) = delete;
  ~LevelSampler();

  template <class Stream>
  Result<std::size_t> draw(random::BasicSource<Stream>& source) const {
    const auto word = source.draws.next();
    if (!word) return Failure(word.error());
    if (const auto level = quick_level(*word)) return *level;
    return exact_level(law_, levels_, numeric::LazyUniform(*word, 64), source.extensions);
  }

  std::int64_t candidates(std::size_t level) const { return levels_[level].candidates; }

  // What doubles can say of the uniform that begins with these 64 bits.
  std::optional<std::size_t> quick_level(std::uint64_t word) const;

 private:
  Exponential law_;
  std::vector<Level> levels_;
  std::vector<double> reached_;  // of each level: the part of all weight up to and with it
  double slack_;                 // relative error of these
};

// A whole number in [0, count), each with the same chance; Lemire 2019.
template <class Bits>
Result<std::uint64_t> uniform_below(std::uint64_t count, Bits& bits) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t surplus = -count % count;  // 2^64 mod count: so many low products are refused
  for (;;) {
    const auto word = bits.next();
    if (!word) return Failure(word.error());
    const Wide product = static_cast<Wide>(*word) * count;
    if (static_cast<std::uint64_t>(product) >= surplus) return static_cast<std::uint64_t>(product >> 64);
  }
}

// One of the candidates that a choice lists by levels, with exactly its probability.
template <class Choice, class Stream>
auto draw_candidate(const Exponential& law, const Choice& choice, random::BasicSource<Stream>& source)
    -> Result<decltype(choice.candidate(0, 0))> {
  const LevelSampler sampler(law, choice.levels());
  const auto level = sampler.draw(source);
  if (!level) return Failure(level.error());
  const auto place = uniform_below(static_cast<std::uint64_t>(sampler.candidates(*level)), source.draws);
  if (!place) return Failure(place.error());
  return choice.candidate(*level, static_cast<std::int64_t>(*place));
}

}  // namespace vernier::noise
