#include "vernier/noise/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::noise::kernels {
namespace {

constexpr numeric::Precision reference{256};

// The loops are compiled for all of these instructions: a machine that lacks one of them, as some virtual ones do, is
// not to run them.
TEST(Kernels, NeedEveryInstructionThatTheyAreCompiledFor) {
  constexpr Features all{true, true, true, true, true, true, true};
  static_assert(suffices(all, Isa::avx512) && suffices(all, Isa::avx2) && suffices({}, Isa::baseline));
  static_assert(!suffices({}, Isa::avx2));
  for (bool Features::*const one : {&Features::fma, &Features::bmi2}) {
    Features without = all;
    without.*one = false;
    EXPECT_FALSE(suffices(without, Isa::avx512));
    EXPECT_FALSE(suffices(without, Isa::avx2));
    EXPECT_TRUE(suffices(without, Isa::baseline));
  }
  for (bool Features::*const one :
       {&Features::avx512f, &Features::avx512dq, &Features::avx512vl, &Features::avx512bw}) {
    Features without = all;
    without.*one = false;
    EXPECT_FALSE(suffices(without, Isa::avx512));
    EXPECT_TRUE(suffices(without, Isa::avx2));
  }
}

TEST(Kernels, ExponentialStaysWithinItsProvenError) {
  double worst = 0;
  for (double a = 0; a <= greatest_exponent; a += greatest_exponent / 100000) {
    const numeric::Ball error = exp(-numeric::Ball::of(a, reference)) - numeric::Ball::of(exp_of_minus(a), reference);
    worst = std::max({worst, std::fabs(error.bounds().lower), std::fabs(error.bounds().upper)});
  }
  EXPECT_LT(worst, proven_slack / 2);  // the other half is for the rounding of a and of the subtraction
}

// The greatest exponent that a table of this law can ask for, at the last index with a weight.
template <class Law>
double greatest_exponent_of(const Law& law) {
  using Exponent = typename SamplerTraits<Law>::Exponent;
  const FlooredMasses masses = floor_masses(IndexLaw<Law>::bucket(law), 63, escape);
  const auto last = std::find_if(masses.floors.rbegin(), masses.floors.rend(), [](auto floor) { return floor > 0; });
  return Exponent::of(static_cast<double>(masses.floors.rend() - last - 1), 1.0,
                      SamplerTraits<Law>::exponent_factor(law.scale()));
}

TEST(Kernels, ExponentStaysWithinTheProvenRange) {
  for (double part = 1; part < 2; part += 1.0 / 64) {
    EXPECT_LT(greatest_exponent_of(*Geometric::of(*LaplaceScale::of(12 * part))), greatest_exponent);
    EXPECT_LT(greatest_exponent_of(*DiscreteGaussian::of(*Sigma::of(55 * part))), greatest_exponent);
  }
}

TEST(Kernels, IntegersBecomeDoublesExactly) {
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 52) - 1, std::uint64_t{123456789}}) {
    EXPECT_EQ(to_double(n), static_cast<double>(n));
  }
}

TEST(Kernels, CompactAndScaleAlikeOnEveryInstructionSet) {
  testing::SeededBits bits(1);
  for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 1024u}) {
    std::vector<std::int64_t> values(count), expected;
    std::vector<std::uint64_t> verdicts(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<std::int64_t>(bits.next().value());
      verdicts[i] = bits.next().value() % 2;
      if (verdicts[i] == 1) expected.push_back(values[i]);
    }
    for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
      if (!supported(isa)) continue;
      const Loops set = loops<GaussianExponent>(isa);
      std::vector<std::int64_t> in_place = values;
      const std::size_t accepted = set.compact(in_place.data(), verdicts.data(), count, in_place.data());
      in_place.resize(accepted);
      EXPECT_EQ(in_place, expected);
      std::vector<double> reals(count);
      set.to_real(values.data(), count, 0x1p-20, reals.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(reals[i], std::ldexp(static_cast<double>(values[i]), -20));
    }
  }
}

// A law cut into buckets by hand, with words that aim at the boundary of acceptance.
template <class Law>
class Boundary {
 public:
  explicit Boundary(const Law& law, int offset_bits)
      : law_(law),
        offset_bits_(offset_bits),
        masses_(floor_masses(IndexLaw<Law>::bucket(law.rescaled(-offset_bits)), 63, escape)),
        table_(weights()) {}

  // Second words whose V lies at the acceptance threshold of (b, offset) and around it; every verdict that is not
  // `unsure` must be right for all continuations of V. Returns how many were sure.
  int check(std::uint64_t b, std::uint64_t offset, Isa isa) const {
    const numeric::Ball threshold = acceptance(b, offset);
    int sure = 0;
    for (const std::uint64_t v : around(threshold)) {
      const std::uint64_t first = b << 54;  // fraction 0: the column's own symbol, if it has any weight there
      const std::uint64_t second = (v << offset_bits_) | offset;
      if (symbol_of(first, table_.entries()) != static_cast<std::int64_t>(b)) return 0;
      sure += expect_right(first, second, v, threshold, isa) ? 1 : 0;
    }
    return sure;
  }

  std::uint64_t buckets() const {
    return static_cast<std::uint64_t>(
        std::count_if(masses_.floors.begin(), masses_.floors.end(), [](auto w) { return w > 0; }));
  }

 private:
  using Exponent = typename SamplerTraits<Law>::Exponent;

  std::vector<std::uint64_t> weights() const {
    std::vector<std::uint64_t> all = masses_.floors;
    all.push_back(masses_.leftover);
    return all;
  }

  int uniform_bits() const { return 64 - offset_bits_; }

  numeric::Ball acceptance(std::uint64_t b, std::uint64_t offset) const {
    const auto base = static_cast<std::int64_t>(b << offset_bits_);
    return law_.weight(base + static_cast<std::int64_t>(offset), reference) / law_.weight(base, reference);
  }

  std::vector<std::uint64_t> around(const numeric::Ball& threshold) const {
    const double scaled = std::ldexp(threshold.bounds().lower, uniform_bits() - 1);
    const std::uint64_t at = static_cast<std::uint64_t>(scaled) * 2;
    const std::uint64_t top = offset_bits_ == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << uniform_bits()) - 1;
    std::vector<std::uint64_t> values;
    for (int power = 0; power < uniform_bits() - 1; power += 2) {
      const std::uint64_t step = std::uint64_t{1} << power;
      if (at >= step) values.push_back(std::min(top, at - step));
      if (at <= top - step) values.push_back(at + step);
    }
    return values;
  }

  Bucket bucket() const {
    const double factor = SamplerTraits<Law>::exponent_factor(std::ldexp(law_.scale(), -offset_bits_));
    return bucket_reading(table_, 0, offset_bits_, uniform_bits(), factor, proven_slack);
  }

  bool expect_right(std::uint64_t first, std::uint64_t second, std::uint64_t v, const numeric::Ball& threshold,
                    Isa isa) const {
    std::int64_t value = 0;
    std::uint64_t verdict = 0;
    loops<Exponent>(isa).candidates(&first, &second, &value, &verdict, 1, bucket());
    if (verdict == static_cast<std::uint64_t>(Verdict::unsure)) return false;
    const numeric::Ball uniform = numeric::LazyUniform(v, uniform_bits()).ball(reference);
    const auto below = less(uniform, threshold);
    EXPECT_TRUE(below.has_value()) << "a verdict on a uniform that straddles the threshold";
    EXPECT_EQ(verdict == static_cast<std::uint64_t>(Verdict::accepted), below.value_or(false));
    return true;
  }

  Law law_;
  int offset_bits_;
  FlooredMasses masses_;
  Table table_;
};

template <class Law>
int attack(const Law& law, int offset_bits, testing::SeededBits& bits) {
  const Boundary<Law> boundary(law, offset_bits);
  int sure = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint64_t b =
        trial < 100 ? boundary.buckets() - 1 - bits.next().value() % 5 : bits.next().value() % boundary.buckets();
    const std::uint64_t offset = bits.next().value() & ((std::uint64_t{1} << offset_bits) - 1);
    for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
      if (supported(isa)) sure += boundary.check(b, offset, isa);
    }
  }
  return sure;
}

TEST(Kernels, NeverDecideWronglyAtTheBoundaryOfAcceptance) {
  testing::SeededBits bits(2);
  EXPECT_GT(attack(*Geometric::of(*LaplaceScale::of(1000)), 6, bits), 1000);
  EXPECT_GT(attack(*Geometric::of(*LaplaceScale::of(1e12)), 36, bits), 1000);
  EXPECT_GT(attack(*DiscreteGaussian::of(*Sigma::of(1000)), 4, bits), 1000);
  EXPECT_GT(attack(*DiscreteGaussian::of(*Sigma::of(12345.678)), 7, bits), 1000);
  EXPECT_GT(attack(*DiscreteGaussian::of(*Sigma::of(1e12)), 34, bits), 1000);
}

}  // namespace
}  // namespace vernier::noise::kernels
