#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "vernier/noise/alias_table.hpp"

// The hot loops of the samplers: one 64-bit word, or two, to one candidate, without a branch. They decide only what is
// certain and flag the rest; integer_sampler.md has the proof of the error bound and of the word layouts.
namespace vernier::noise::kernels {

// First word: column (10) | fraction (53) | sign (1). The last symbol is the escape to the leftover law.
using Table = AliasTable<10, 53>;
inline constexpr std::uint64_t escape = Table::columns - 1;

// The most candidates that a kernel evaluates in one call.
inline constexpr std::size_t block = 1024;

// How abs(error) of the computed exp(-a) - v is bounded: 2^-44.1 is proven, for 0 <= a <= greatest_exponent.
inline constexpr double proven_slack = 0x1p-43;
inline constexpr double greatest_exponent = 0.163;

// How the second word is read: an offset r of `offset_bits` and a uniform V, at a place in the word; and what is known.
struct Bucket {
  const std::uint64_t* entries;
  int offset_bits;         // j: buckets are 2^j wide
  double exponent_factor;  // h of the law's exponent
  int offset_shift;        // where r begins
  int uniform_shift;       // where the bits of V that the kernel reads begin
  std::uint64_t offset_mask;
  std::uint64_t uniform_mask;
  double offset_unit;    // 2^-j
  double uniform_unit;   // the width of what is known of V
  double accept_margin;  // accept surely from here on: uniform_unit + slack
  double reject_margin;  // reject surely up to here: -slack
};

// Reads words whose bits from `shift` on are an offset of `offset_bits`, then a uniform of `uniform_bits`. `slack` is
// at least proven_slack.
Bucket bucket_reading(const Table& table, int shift, int offset_bits, int uniform_bits, double exponent_factor,
                      double slack);

enum class Verdict : std::uint64_t { rejected = 0, accepted = 1, unsure = 2 };

struct Candidate {
  std::int64_t value;
  Verdict verdict;
};

// a = -ln of the acceptance probability at offset t (in buckets) of bucket b.
struct GeometricExponent {
  static constexpr double of(double, double t, double factor) { return t * factor; }
};
struct GaussianExponent {
  static constexpr double of(double b, double t, double factor) { return t * (2 * b + t) * factor; }
};

// An integer below 2^52 as a double, exactly, in instructions that every vector unit has.
[[gnu::always_inline]] inline double to_double(std::uint64_t n) {
  return std::bit_cast<double>(n | 0x4330000000000000) - 0x1p52;
}

[[gnu::always_inline]] inline std::int64_t with_sign(std::int64_t magnitude, std::uint64_t word) {
  const auto negative = -static_cast<std::int64_t>(word & 1);
  return (magnitude ^ negative) - negative;
}

// The symbol of a first word. The comparison is signed since vector units compare signed numbers; the choice is by a
// mask since a branch would be guessed wrongly half of the time, and its time would tell the symbol.
[[gnu::always_inline]] inline std::int64_t symbol_of(std::uint64_t word, const std::uint64_t* entries) {
  const std::uint64_t column = word >> 54;
  const std::uint64_t entry = entries[column];
  const auto fraction = static_cast<std::int64_t>((word >> 1) & (Table::capacity - 1));
  const auto threshold = static_cast<std::int64_t>(entry >> 10);
  const std::uint64_t own = -static_cast<std::uint64_t>(fraction < threshold);
  return static_cast<std::int64_t>((column & own) | (entry & escape & ~own));
}

// exp(-a) for 0 <= a <= greatest_exponent: Taylor about the middle c, e^-c sum (c - a)^k / k! up to k = 7.
[[gnu::always_inline]] inline double exp_of_minus(double a) {
  constexpr double middle = 0.0815;
  constexpr double e = 0.9217327098538872;  // exp(-middle) to the last bit
  const double d = middle - a;
  double p = e / 5040;
  p = p * d + e / 720;
  p = p * d + e / 120;
  p = p * d + e / 24;
  p = p * d + e / 6;
  p = p * d + e / 2;
  p = p * d + e;
  return p * d + e;
}

template <class Exponent>
[[gnu::always_inline]] inline Candidate evaluate(std::uint64_t first, std::uint64_t second, const Bucket& bucket) {
  const std::int64_t b = symbol_of(first, bucket.entries);
  const std::uint64_t offset = (second >> bucket.offset_shift) & bucket.offset_mask;
  const double t = to_double(offset) * bucket.offset_unit;
  const double v = to_double((second >> bucket.uniform_shift) & bucket.uniform_mask) * bucket.uniform_unit;
  const double a = Exponent::of(to_double(static_cast<std::uint64_t>(b)), t, bucket.exponent_factor);
  const double ahead = exp_of_minus(a) - v;

  const auto surely = static_cast<std::uint64_t>(ahead >= bucket.accept_margin);
  const auto maybe = static_cast<std::uint64_t>(ahead > bucket.reject_margin);
  const auto escaped = static_cast<std::uint64_t>(b == static_cast<std::int64_t>(escape));
  const std::int64_t magnitude = (b << bucket.offset_bits) | static_cast<std::int64_t>(offset);
  const auto minus_zero = static_cast<std::uint64_t>(magnitude == 0) & first;  // 0 must not count for both signs
  const std::uint64_t unsure = (surely ^ maybe) | escaped;
  const std::uint64_t verdict = (unsure << 1) | (surely & ~unsure & ~minus_zero & 1);
  return {with_sign(magnitude, first), static_cast<Verdict>(verdict)};
}

enum class Isa : std::uint8_t { baseline, avx2, avx512 };

// What a machine has of the instructions that the loops are compiled for.
struct Features {
  bool avx2, fma, bmi2;
  bool avx512f, avx512dq, avx512vl, avx512bw;
};
constexpr bool suffices(const Features& has, Isa isa) {
  const bool has_both = has.fma && has.bmi2;
  if (isa == Isa::avx512) return has_both && has.avx512f && has.avx512dq && has.avx512vl && has.avx512bw;
  return isa == Isa::baseline || (has_both && has.avx2);
}

bool supported(Isa isa);
Isa best_isa();  // of this machine, found once

// The loops for one instruction set. All sets give the same results.
struct Loops {
  // One symbol with its sign per word; true if some symbol is the escape.
  bool (*direct)(const std::uint64_t* words, std::int64_t* out, std::size_t count, const std::uint64_t* entries);

  // One candidate per pair of words; true if some verdict is unsure.
  bool (*candidates)(const std::uint64_t* first, const std::uint64_t* second, std::int64_t* out,
                     std::uint64_t* verdicts, std::size_t count, const Bucket& bucket);

  // One candidate alone.
  Candidate (*candidate)(std::uint64_t first, std::uint64_t second, const Bucket& bucket);

  // Moves the accepted values together, in their order, to `out`, which has room for all; returns their number. `out`
  // may be `values`. What `out` holds beyond that number is undefined.
  std::size_t (*compact)(const std::int64_t* values, const std::uint64_t* verdicts, std::size_t count,
                         std::int64_t* out);

  // out = units * granularity
  void (*to_real)(const std::int64_t* units, std::size_t count, double granularity, double* out);
};

template <class Exponent>
Loops loops(Isa isa);

}  // namespace vernier::noise::kernels
