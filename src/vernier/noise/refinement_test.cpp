#include "vernier/noise/refinement.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "support/scripted_bits.hpp"
#include "vernier/noise/alias_table.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Exactness without chance: every bit string of a small depth is tried, and what has been decided by then must be
// within what remains undecided of the exact law.
namespace vernier::noise {
namespace {

constexpr int byte = 8;

// The mass that each outcome has after `depth` bytes at most, and the mass that is still open.
template <class Outcome>
struct Enumerated {
  std::map<Outcome, double> decided;
  double open = 0;
};

// `run` decides from scripted bytes, or fails when it wants more of them than there are.
template <class Outcome, class Run>
Enumerated<Outcome> enumerate_bytes(std::size_t depth, const Run& run) {
  Enumerated<Outcome> result;
  const std::function<void(std::vector<std::uint64_t>&)> walk = [&](std::vector<std::uint64_t>& path) {
    const double mass = std::ldexp(1.0, -byte * static_cast<int>(path.size()));
    testing::ScriptedBits bits(path);
    if (const Result<Outcome> outcome = run(bits)) {
      result.decided[*outcome] += mass;
      return;
    }
    if (path.size() == depth) {
      result.open += mass;
      return;
    }
    for (std::uint64_t next = 0; next < 256; ++next) {
      path.push_back(next);
      walk(path);
      path.pop_back();
    }
  };
  std::vector<std::uint64_t> root;
  walk(root);
  return result;
}

double exact_mass(const auto& index, std::int64_t m) {
  constexpr numeric::Precision precision{128};
  const auto factor = m == 0 ? index.factor_of_zero(precision) : index.factor(precision);
  return (factor * index.law().weight(m, precision)).bounds().lower;
}

// A table of 8-bit words and what it leaves over give each index exactly its probability.
template <class Law>
void expect_table_and_leftover_exact(const IndexLaw<Law>& index) {
  using SmallTable = AliasTable<4, 4>;
  const FlooredMasses masses = floor_masses(index, SmallTable::word_bits, SmallTable::columns - 1);
  std::vector<std::uint64_t> weights = masses.floors;
  weights.push_back(masses.leftover);
  const SmallTable table(weights);

  std::map<std::int64_t, double> decided;
  double escaped = 0;
  for (std::uint64_t word = 0; word < 256; ++word) {
    const std::uint64_t symbol = table.symbol(word);
    (symbol == SmallTable::columns - 1 ? escaped : decided[static_cast<std::int64_t>(symbol)]) += 1.0 / 256;
  }
  const auto leftover = enumerate_bytes<std::int64_t>(
      3, [&](testing::ScriptedBits& bits) { return draw_leftover<byte>(index, masses, bits); });
  for (const auto& [m, mass] : leftover.decided) decided[m] += escaped * mass;

  const double open = escaped * leftover.open;
  EXPECT_LT(open, 1e-5);
  double total = 0;
  for (const auto& [m, mass] : decided) {
    const double exact = exact_mass(index, m);
    EXPECT_LE(mass, exact + 1e-15) << "index " << m << " at scale " << index.law().scale();
    EXPECT_GE(mass + open, exact - 1e-15) << "index " << m << " at scale " << index.law().scale();
    total += mass;
  }
  EXPECT_NEAR(total + open, 1, 1e-12);
}

TEST(SlowRefinement, TableAndLeftoverGiveEveryIndexItsProbability) {
  for (const double scale : {0.3, 1.0, 2.6}) {
    expect_table_and_leftover_exact(IndexLaw<Geometric>::direct(*Geometric::of(*LaplaceScale::of(scale))));
    expect_table_and_leftover_exact(IndexLaw<DiscreteGaussian>::direct(*DiscreteGaussian::of(*Sigma::of(scale))));
  }
}

TEST(SlowRefinement, TableAndLeftoverGiveEveryBucketItsProbability) {
  expect_table_and_leftover_exact(IndexLaw<Geometric>::bucket(*Geometric::of(*LaplaceScale::of(1.3))));
  expect_table_and_leftover_exact(IndexLaw<DiscreteGaussian>::bucket(*DiscreteGaussian::of(*Sigma::of(1.3))));
}

// The acceptance of every (bucket, offset) of 4-wide buckets has exactly its probability.
template <class Law>
void expect_acceptance_exact(const Law& law) {
  constexpr numeric::Precision precision{128};
  for (std::int64_t base = 0; base < 48; base += 4) {
    for (std::int64_t offset = 0; offset < 4; ++offset) {
      const auto result = enumerate_bytes<bool>(5, [&](testing::ScriptedBits& bits) -> Result<bool> {
        numeric::LazyUniform uniform;
        if (auto begun = uniform.extend<byte>(bits); !begun) return Failure(begun.error());
        return accepts<byte>(law, base, offset, uniform, bits);
      });
      const double exact = (law.weight(base + offset, precision) / law.weight(base, precision)).bounds().lower;
      const double accepted = result.decided.contains(true) ? result.decided.at(true) : 0;
      EXPECT_LE(accepted, exact + 1e-15) << base << " + " << offset;
      EXPECT_GE(accepted + result.open, exact - 1e-15) << base << " + " << offset;
      EXPECT_LT(result.open, 1e-11);
    }
  }
}

TEST(SlowRefinement, AcceptanceHasExactlyItsProbability) {
  expect_acceptance_exact(*Geometric::of(*LaplaceScale::of(20.3)));
  expect_acceptance_exact(*DiscreteGaussian::of(*Sigma::of(20.3)));
}

TEST(Refinement, LeftoverReachesTheFarTailOfTheLeastScale) {
  const auto index = IndexLaw<Geometric>::direct(*Geometric::of(*LaplaceScale::of(1e-3)));
  const FlooredMasses masses = floor_masses(index, 63, 1023);
  // P[abs(X) > 0] is about 2 e^-1000 = 2^-1441.7 and P[abs(X) > 1] 2^-2884: after the table's 63 bits a uniform that
  // begins with 1920 ones, but not with 1984, lies between.
  std::vector<std::uint64_t> words(30, ~std::uint64_t{0});
  words.push_back(0);
  testing::ScriptedBits bits(words);
  EXPECT_EQ(draw_leftover(index, masses, bits).value(), 1);
  testing::ScriptedBits middle({std::uint64_t{1} << 63});
  EXPECT_EQ(draw_leftover(index, masses, middle).value(), 0);
}

TEST(Refinement, FailsClosedWhenTheBitsRunOut) {
  const Geometric law = *Geometric::of(*LaplaceScale::of(20.3));
  testing::ScriptedBits none({});
  EXPECT_EQ(
      draw_leftover(IndexLaw<Geometric>::direct(law), floor_masses(IndexLaw<Geometric>::direct(law), 63, 1023), none)
          .error()
          .kind,
      ErrorKind::entropy);
  EXPECT_EQ(accepts(law, 0, 1, numeric::LazyUniform(), none).error().kind, ErrorKind::entropy);
}

}  // namespace
}  // namespace vernier::noise
