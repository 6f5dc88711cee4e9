#include "vernier/noise/kernels.hpp"

#include <algorithm>
#include <cmath>

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

bool direct_baseline(const std::uint64_t* words, std::int64_t* out, std::size_t count, const std::uint64_t* entries) {
  return direct_loop(words, out, count, entries);
}

template <class Exponent>
bool candidates_baseline(const std::uint64_t* first, const std::uint64_t* second, std::int64_t* out,
                         std::uint64_t* verdicts, std::size_t count, const Bucket& bucket) {
  return candidates_loop<Exponent>(first, second, out, verdicts, count, bucket);
}

#if defined(__x86_64__)
#define VERNIER_AVX2 __attribute__((target("avx2,fma,bmi2")))
#define VERNIER_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,fma,bmi2,prefer-vector-width=512")))

VERNIER_AVX2 bool direct_avx2(const std::uint64_t* words, std::int64_t* out, std::size_t count,
                              const std::uint64_t* entries) {
  return direct_loop(words, out, count, entries);
}

VERNIER_AVX512 bool direct_avx512(const std::uint64_t* words, std::int64_t* out, std::size_t count,
                                  const std::uint64_t* entries) {
  return direct_loop(words, out, count, entries);
}

template <class Exponent>
VERNIER_AVX2 bool candidates_avx2(const std::uint64_t* first, const std::uint64_t* second, std::int64_t* out,
                                  std::uint64_t* verdicts, std::size_t count, const Bucket& bucket) {
  return candidates_loop<Exponent>(first, second, out, verdicts, count, bucket);
}

template <class Exponent>
VERNIER_AVX512 bool candidates_avx512(const std::uint64_t* first, const std::uint64_t* second, std::int64_t* out,
                                      std::uint64_t* verdicts, std::size_t count, const Bucket& bucket) {
  return candidates_loop<Exponent>(first, second, out, verdicts, count, bucket);
}
#endif

Isa find_best_isa() {
  if (supported(Isa::avx512)) return Isa::avx512;
  return supported(Isa::avx2) ? Isa::avx2 : Isa::baseline;
}

}  // namespace

#if defined(__x86_64__)
bool supported(Isa isa) {
  if (isa == Isa::avx512) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  }
  if (isa == Isa::avx2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  }
  return true;
}

Direct direct(Isa isa) {
  if (isa == Isa::avx512) return direct_avx512;
  return isa == Isa::avx2 ? direct_avx2 : direct_baseline;
}

template <class Exponent>
Candidates candidates(Isa isa) {
  if (isa == Isa::avx512) return candidates_avx512<Exponent>;
  return isa == Isa::avx2 ? candidates_avx2<Exponent> : candidates_baseline<Exponent>;
}
#else
bool supported(Isa isa) { return isa == Isa::baseline; }
Direct direct(Isa) { return direct_baseline; }
template <class Exponent>
Candidates candidates(Isa) {
  return candidates_baseline<Exponent>;
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

template Candidates candidates<GeometricExponent>(Isa);
template Candidates candidates<GaussianExponent>(Isa);

}  // namespace vernier::noise::kernels
