#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vernier/core/result.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/floored_masses.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/kernels.hpp"
#include "vernier/random/source.hpp"

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

}  // namespace vernier::noise

#include "vernier/noise/integer_sampler_impl.hpp"
