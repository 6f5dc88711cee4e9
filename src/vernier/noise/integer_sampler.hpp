#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "vernier/core/result.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/kernels.hpp"
#include "vernier/noise/refinement.hpp"
#include "vernier/random/source.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::noise {

// What the generic sampler needs to know of a law beside its weights. `direct_limit`: from this scale on values are
// drawn as bucket and offset; below it they come from one table, whose leftover is then rarer than 2^-52.
template <class Law>
struct SamplerTraits;

template <>
struct SamplerTraits<Geometric> {
  using Exponent = kernels::GeometricExponent;
  static constexpr double direct_limit = 24;
  static double exponent_factor(double scale) { return 1 / scale; }
};

template <>
struct SamplerTraits<DiscreteGaussian> {
  using Exponent = kernels::GaussianExponent;
  static constexpr double direct_limit = 110;
  static double exponent_factor(double scale) { return 1 / (2 * (scale * scale)); }
};

// None of these changes the law that comes out: they move work between the fast path and the exact one, or between
// instruction sets. For tests and measurements.
struct SamplerOptions {
  kernels::Isa isa = kernels::best_isa();
  double slack = kernels::proven_slack;  // at least proven_slack
  int coarse_bits = 0;                   // low bits cleared in the table's weights
};

// Draws integers that have exactly the law of `law`, whatever the double arithmetic does on the way. Building one takes
// a fraction of a millisecond; it is immutable, cheap to copy and may be shared by threads. integer_sampler.md has the
// proof. Law is Geometric or DiscreteGaussian.
template <class Law>
class IntegerSampler {
 public:
  explicit IntegerSampler(const Law& law, SamplerOptions options = {});
  const Law& law() const { return state_->law; }
  const kernels::Loops& loops() const { return state_->loops; }

  template <class Stream>
  [[nodiscard]] Result<std::int64_t> draw(random::BasicSource<Stream>& source) const;

  // Fills `out` with independent draws. The work depends on the number of draws alone, never on their values. On an
  // error `out` holds the least 64-bit integer everywhere, so that nothing passes for noise.
  template <class Stream>
  [[nodiscard]] Result<void> fill(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const;

 private:
  using Traits = SamplerTraits<Law>;
  using Exponent = typename Traits::Exponent;
  struct Scratch;

  struct State {
    State(const Law& of_law, SamplerOptions with);
    bool reads_half_words() const;
    int uniform_bits() const;  // how many bits of V a second word, or half of it, holds
    kernels::Bucket bucket(int shift) const;
    double expected_acceptance() const;

    Law law;
    int offset_bits;  // 0: direct
    SamplerOptions options;
    kernels::Loops loops;
    IndexLaw<Law> index;
    FlooredMasses masses;
    kernels::Table table;
    kernels::Bucket low_half, high_half;  // how second words are read; whole words as `low_half`
    double acceptance;                    // of a candidate
  };

  bool is_direct() const { return state_->offset_bits == 0; }
  std::size_t candidates_for(std::size_t count) const;

  template <class Bits>
  Result<std::int64_t> exact_symbol(std::uint64_t first, Bits& extensions) const;
  template <class Bits>
  [[gnu::noinline]] Result<kernels::Candidate> resolve(std::uint64_t first, std::uint64_t second,
                                                       const kernels::Bucket& bucket, Bits& extensions) const;

  template <class Stream>
  Result<void> fill_direct(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const;
  template <class Stream>
  Result<void> fill_bucket(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const;
  template <class Bits>
  Result<void> evaluate_run(std::size_t start, std::size_t run, const std::uint64_t* second, Scratch& scratch,
                            Bits& extensions) const;
  template <class Stream>
  Result<std::size_t> accept_block(random::BasicSource<Stream>& source, std::size_t count, Scratch& scratch,
                                   std::span<std::int64_t> out) const;

  std::shared_ptr<const State> state_;
};

// The inside of IntegerSampler.

namespace sampler_detail {

// Offsets of up to this many bits share a half word with V; its 32 - j bits leave the verdict open once in 2^(32 - j).
inline constexpr int greatest_half_word_offset = 15;

// How many times a scale at or above `limit` is halved to come below it.
inline int offset_bits_for(double scale, double limit) {
  int bits = 0;
  for (; scale >= limit; scale /= 2) ++bits;
  return bits;
}

// The floors of the indices, and the leftover as the weight of the escape.
inline std::array<std::uint64_t, kernels::Table::columns> table_weights(const FlooredMasses& masses) {
  std::array<std::uint64_t, kernels::Table::columns> weights;
  std::copy(masses.floors.begin(), masses.floors.end(), weights.begin());
  weights.back() = masses.leftover;
  return weights;
}

}  // namespace sampler_detail

// Words and candidates of one block; wiped when done, since they tell the noise.
template <class Law>
struct IntegerSampler<Law>::Scratch {
  Scratch() {}  // NOLINT: left uninitialised on purpose, every word is written before it is read
  ~Scratch() {
    random::wipe(words);
    random::wipe(std::as_writable_bytes(std::span(values)));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  alignas(64) std::array<std::uint64_t, 2 * kernels::block> words;
  alignas(64) std::array<std::int64_t, kernels::block> values;
  alignas(64) std::array<std::uint64_t, kernels::block> verdicts;
};

template <class Law>
IntegerSampler<Law>::State::State(const Law& of_law, SamplerOptions with)
    : law(of_law),
      offset_bits(sampler_detail::offset_bits_for(law.scale(), Traits::direct_limit)),
      options(with),
      loops(kernels::loops<Exponent>(options.isa)),
      index(offset_bits == 0 ? IndexLaw<Law>::direct(law) : IndexLaw<Law>::bucket(law.rescaled(-offset_bits))),
      masses(floor_masses(index, kernels::Table::word_bits, kernels::escape, options.coarse_bits)),
      table(sampler_detail::table_weights(masses)) {
  options.slack = std::max(options.slack, kernels::proven_slack);
  low_half = bucket(0);
  high_half = bucket(32);
  acceptance = expected_acceptance();
}

// Of all proposals (bucket, offset, sign) those accepted weigh law.total(), out of 2^j (buckets' total + 1).
template <class Law>
double IntegerSampler<Law>::State::expected_acceptance() const {
  if (offset_bits == 0) return 1;
  constexpr numeric::Precision precision{64};
  const numeric::Ball proposals = index.law().total(precision) + numeric::Ball::of(std::int64_t{1}, precision);
  return (law.total(precision) / times_power_of_two(proposals, offset_bits)).bounds().lower;
}

template <class Law>
kernels::Bucket IntegerSampler<Law>::State::bucket(int shift) const {
  const double factor = Traits::exponent_factor(index.law().scale());
  return kernels::bucket_reading(table, shift, offset_bits, uniform_bits(), factor, options.slack);
}

template <class Law>
bool IntegerSampler<Law>::State::reads_half_words() const {
  return offset_bits <= sampler_detail::greatest_half_word_offset;
}

template <class Law>
int IntegerSampler<Law>::State::uniform_bits() const {
  return (reads_half_words() ? 32 : 64) - offset_bits;
}

template <class Law>
IntegerSampler<Law>::IntegerSampler(const Law& law, SamplerOptions options)
    : state_(std::make_shared<const State>(law, options)) {}

// How many candidates to evaluate so that `count` are accepted but for a chance below 2^-60 (Bennett's inequality):
// a number that depends on nothing else. Even, since half words come in pairs.
template <class Law>
std::size_t IntegerSampler<Law>::candidates_for(std::size_t count) const {
  const double q = state_->acceptance;
  const auto wanted = static_cast<double>(count);
  const double candidates = (wanted + 10 * std::sqrt(wanted * (1 - q) + 1) + 16) / q;
  return (static_cast<std::size_t>(candidates) + 16) / 16 * 16;
}

template <class Law>
template <class Bits>
Result<std::int64_t> IntegerSampler<Law>::exact_symbol(std::uint64_t first, Bits& extensions) const {
  const std::int64_t symbol = kernels::symbol_of(first, state_->table.entries());
  if (symbol != static_cast<std::int64_t>(kernels::escape)) return symbol;
  return draw_leftover(state_->index, state_->masses, extensions);
}

// Decides a candidate that the kernel left open. V is taken with all of its bits, also those the kernel did not read.
template <class Law>
template <class Bits>
Result<kernels::Candidate> IntegerSampler<Law>::resolve(std::uint64_t first, std::uint64_t second,
                                                        const kernels::Bucket& bucket, Bits& extensions) const {
  const int j = state_->offset_bits;
  VERNIER_TRY(const auto b, exact_symbol(first, extensions));
  if (b > (std::numeric_limits<std::int64_t>::max() >> (j + 1))) {
    return fail(ErrorKind::exhausted, "a draw does not fit in 64 bits, which has probability below exp(-2^20)");
  }
  const int bits = state_->uniform_bits();
  const std::uint64_t uniform = (second >> (bucket.offset_shift + j)) & (~std::uint64_t{0} >> (64 - bits));
  const auto offset = static_cast<std::int64_t>((second >> bucket.offset_shift) & bucket.offset_mask);
  const std::int64_t base = b << j;
  VERNIER_TRY(const auto accepted, accepts(state_->law, base, offset, numeric::LazyUniform(uniform, bits), extensions));
  const bool minus_zero = base + offset == 0 && (first & 1) != 0;
  return kernels::Candidate{kernels::with_sign(base + offset, first),
                            accepted && !minus_zero ? kernels::Verdict::accepted : kernels::Verdict::rejected};
}

template <class Law>
template <class Stream>
Result<std::int64_t> IntegerSampler<Law>::draw(random::BasicSource<Stream>& source) const {
  if (is_direct()) {
    VERNIER_TRY(const auto first, source.draws.next());
    const auto symbol = exact_symbol(first, source.extensions);
    if (!symbol) return symbol;
    return kernels::with_sign(*symbol, first);
  }
  for (;;) {
    VERNIER_TRY(const auto words, source.draws.next_two());
    const auto [first, second] = words;
    kernels::Candidate candidate = state_->loops.candidate(first, second, state_->low_half);
    if (candidate.verdict == kernels::Verdict::unsure) [[unlikely]] {
      VERNIER_TRY(const auto resolved, resolve(first, second, state_->low_half, source.extensions));
      candidate = resolved;
    }
    if (candidate.verdict == kernels::Verdict::accepted) return candidate.value;
  }
}

template <class Law>
template <class Stream>
Result<void> IntegerSampler<Law>::fill(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const {
  const Result<void> filled = is_direct() ? fill_direct(source, out) : fill_bucket(source, out);
  if (!filled) std::fill(out.begin(), out.end(), std::numeric_limits<std::int64_t>::min());
  return filled;
}

template <class Law>
template <class Stream>
Result<void> IntegerSampler<Law>::fill_direct(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const {
  Scratch scratch;
  while (!out.empty()) {
    const std::size_t count = std::min(out.size(), scratch.words.size());
    if (auto filled = source.draws.fill(std::span(scratch.words).first(count)); !filled) return filled;
    if (state_->loops.direct(scratch.words.data(), out.data(), count, state_->table.entries())) {
      for (std::size_t i = 0; i < count; ++i) {
        VERNIER_TRY(const auto symbol, exact_symbol(scratch.words[i], source.extensions));
        out[i] = kernels::with_sign(symbol, scratch.words[i]);
      }
    }
    out = out.subspan(count);
  }
  return {};
}

template <class Law>
template <class Stream>
Result<void> IntegerSampler<Law>::fill_bucket(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const {
  Scratch scratch;
  std::size_t planned = candidates_for(out.size());
  while (planned > 0 || !out.empty()) {
    const std::size_t count = planned > 0 ? std::min(planned, kernels::block) : kernels::block;
    VERNIER_TRY(const auto accepted, accept_block(source, count, scratch, out));
    out = out.subspan(accepted);
    planned -= std::min(planned, count);
  }
  return {};
}

// Evaluates candidates scratch.values[start .. start + run), and decides exactly what the kernel left open.
template <class Law>
template <class Bits>
Result<void> IntegerSampler<Law>::evaluate_run(std::size_t start, std::size_t run, const std::uint64_t* second,
                                               Scratch& scratch, Bits& extensions) const {
  const kernels::Bucket& bucket = start == 0 ? state_->low_half : state_->high_half;
  const std::uint64_t* const first = scratch.words.data() + start;
  std::int64_t* const values = scratch.values.data() + start;
  std::uint64_t* const verdicts = scratch.verdicts.data() + start;
  if (!state_->loops.candidates(first, second, values, verdicts, run, bucket)) return {};
  for (std::size_t i = 0; i < run; ++i) {
    if (verdicts[i] != static_cast<std::uint64_t>(kernels::Verdict::unsure)) continue;
    VERNIER_TRY(const auto resolved, resolve(first[i], second[i], bucket, extensions));
    values[i] = resolved.value;
    verdicts[i] = static_cast<std::uint64_t>(resolved.verdict);
  }
  return {};
}

// Evaluates `count` candidates and moves the accepted ones, or as many as fit, to the front of `out`; returns their
// number. First words lie before second words; where these are halved, the first half of the candidates reads the low
// halves of them and the second half the high ones.
template <class Law>
template <class Stream>
Result<std::size_t> IntegerSampler<Law>::accept_block(random::BasicSource<Stream>& source, std::size_t count,
                                                      Scratch& scratch, std::span<std::int64_t> out) const {
  const std::size_t run = state_->reads_half_words() ? count / 2 : count;
  const auto words = std::span(scratch.words).first(count + run);
  VERNIER_TRY(source.draws.fill(words));
  for (std::size_t start = 0; start < count; start += run) {
    VERNIER_TRY(evaluate_run(start, run, words.data() + count, scratch, source.extensions));
  }
  const auto compact = state_->loops.compact;
  if (out.size() >= count) return compact(scratch.values.data(), scratch.verdicts.data(), count, out.data());
  const std::size_t accepted = compact(scratch.values.data(), scratch.verdicts.data(), count, scratch.values.data());
  const std::size_t kept = std::min(accepted, out.size());
  std::copy_n(scratch.values.begin(), kept, out.begin());
  return kept;
}

}  // namespace vernier::noise
