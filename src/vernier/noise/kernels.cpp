#include "vernier/noise/kernels.hpp"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// One source for all instruction sets: the loops are inlined into a function per set, and the compiler vectorises each
// for its own. Called through a table of pointers, so one program serves every machine.
namespace vernier::noise::kernels {
namespace {

[[gnu::always_inline]] inline bool direct_loop(const std::uint64_t* __restrict words, std::int64_t* __restrict out,
                                               std::size_t count, const std::uint64_t* __restrict entries) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t symbol = symbol_of(words[i], entries);
    any |= static_cast<std::uint64_t>(symbol) + 1;  // reaches bit 10 for the escape alone
    out[i] = with_sign(symbol, words[i]);
  }
  return (any & Table::columns) != 0;
}

template <class Exponent>
[[gnu::always_inline]] inline bool candidates_loop(const std::uint64_t* __restrict first,
                                                   const std::uint64_t* __restrict second, std::int64_t* __restrict out,
                                                   std::uint64_t* __restrict verdicts, std::size_t count,
                                                   const Bucket& shared) {
  const Bucket bucket = shared;  // a copy that the stores cannot change
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Candidate candidate = evaluate<Exponent>(first[i], second[i], bucket);
    out[i] = candidate.value;
    verdicts[i] = static_cast<std::uint64_t>(candidate.verdict);
    any |= verdicts[i];
  }
  return (any & static_cast<std::uint64_t>(Verdict::unsure)) != 0;
}

[[gnu::always_inline]] inline std::size_t compact_loop(const std::int64_t* values, const std::uint64_t* verdicts,
                                                       std::size_t count, std::int64_t* out) {
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out[accepted] = values[i];
    accepted += verdicts[i];
  }
  return accepted;
}

[[gnu::always_inline]] inline void to_real_loop(const std::int64_t* __restrict units, std::size_t count,
                                                double granularity, double* __restrict out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(units[i]) * granularity;
}

// The loops, compiled for the instruction set that `target` names.
// NOLINTBEGIN(bugprone-macro-parentheses): `target` is an attribute
#define VERNIER_LOOPS(Set, target)                                                                                  \
  template <class Exponent>                                                                                         \
  struct Set {                                                                                                      \
    target static bool direct(const std::uint64_t* words, std::int64_t* out, std::size_t count,                     \
                              const std::uint64_t* entries) {                                                       \
      return direct_loop(words, out, count, entries);                                                               \
    }                                                                                                               \
    target static bool candidates(const std::uint64_t* first, const std::uint64_t* second, std::int64_t* out,       \
                                  std::uint64_t* verdicts, std::size_t count, const Bucket& bucket) {               \
      return candidates_loop<Exponent>(first, second, out, verdicts, count, bucket);                                \
    }                                                                                                               \
    target static Candidate candidate(std::uint64_t first, std::uint64_t second, const Bucket& bucket) {            \
      return evaluate<Exponent>(first, second, bucket);                                                             \
    }                                                                                                               \
    target static std::size_t compact(const std::int64_t* values, const std::uint64_t* verdicts, std::size_t count, \
                                      std::int64_t* out) {                                                          \
      return compact_loop(values, verdicts, count, out);                                                            \
    }                                                                                                               \
    target static void to_real(const std::int64_t* units, std::size_t count, double granularity, double* out) {     \
      to_real_loop(units, count, granularity, out);                                                                 \
    }                                                                                                               \
    static Loops all() { return {direct, candidates, candidate, compact, to_real}; }                                \
  }

// NOLINTEND(bugprone-macro-parentheses)

VERNIER_LOOPS(Baseline, );

#if defined(__x86_64__)
#define VERNIER_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,bmi2,prefer-vector-width=512")))
VERNIER_LOOPS(Avx2, __attribute__((target("avx2,fma,bmi2"))));
VERNIER_LOOPS(Avx512, VERNIER_AVX512);

// Eight at a time: the accepted ones of a vector are pushed to its front and the whole vector is stored; the next one
// overwrites what lies beyond. A store never reaches past the values that are already read, so `out` may be `values`.
VERNIER_AVX512 std::size_t compact_avx512(const std::int64_t* values, const std::uint64_t* verdicts, std::size_t count,
                                          std::int64_t* out) {
  const std::size_t whole = count / 8 * 8;
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < whole; i += 8) {
    const __mmask8 taken = _mm512_test_epi64_mask(_mm512_loadu_si512(verdicts + i), _mm512_set1_epi64(1));
    const __m512i front = _mm512_maskz_compress_epi64(taken, _mm512_loadu_si512(values + i));
    _mm512_storeu_si512(out + accepted, front);
    accepted += static_cast<std::size_t>(__builtin_popcount(taken));
  }
  return accepted + compact_loop(values + whole, verdicts + whole, count - whole, out + accepted);
}
#endif

Isa find_best_isa() {
  if (supported(Isa::avx512)) return Isa::avx512;
  return supported(Isa::avx2) ? Isa::avx2 : Isa::baseline;
}

}  // namespace

#if defined(__x86_64__)
bool supported(Isa isa) {
  const Features has{.avx2 = __builtin_cpu_supports("avx2") != 0,
                     .fma = __builtin_cpu_supports("fma") != 0,
                     .bmi2 = __builtin_cpu_supports("bmi2") != 0,
                     .avx512f = __builtin_cpu_supports("avx512f") != 0,
                     .avx512dq = __builtin_cpu_supports("avx512dq") != 0,
                     .avx512vl = __builtin_cpu_supports("avx512vl") != 0,
                     .avx512bw = __builtin_cpu_supports("avx512bw") != 0};
  return suffices(has, isa);
}

template <class Exponent>
Loops loops(Isa isa) {
  if (isa == Isa::baseline) return Baseline<Exponent>::all();
  if (isa == Isa::avx2) return Avx2<Exponent>::all();
  Loops best = Avx512<Exponent>::all();
  best.compact = compact_avx512;
  return best;
}
#else
bool supported(Isa isa) { return isa == Isa::baseline; }
template <class Exponent>
Loops loops(Isa) {
  return Baseline<Exponent>::all();
}
#endif

// The kernel reads at most 52 bits of V, the upper ones.
Bucket bucket_reading(const Table& table, int shift, int offset_bits, int uniform_bits, double exponent_factor,
                      double slack) {
  const int known = std::min(uniform_bits, 52);
  const double unit = std::ldexp(1.0, -known);
  return {.entries = table.entries(),
          .offset_bits = offset_bits,
          .exponent_factor = exponent_factor,
          .offset_shift = shift,
          .uniform_shift = shift + offset_bits + uniform_bits - known,
          .offset_mask = (std::uint64_t{1} << offset_bits) - 1,
          .uniform_mask = (std::uint64_t{1} << known) - 1,
          .offset_unit = std::ldexp(1.0, -offset_bits),
          .uniform_unit = unit,
          .accept_margin = unit + slack,
          .reject_margin = -slack};
}

Isa best_isa() {
  static const Isa best = find_best_isa();
  return best;
}

template Loops loops<GeometricExponent>(Isa);
template Loops loops<GaussianExponent>(Isa);

}  // namespace vernier::noise::kernels
