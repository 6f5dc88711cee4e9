#include "vernier/interval/rows/occupied_range.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using Counts = std::vector<std::int64_t>;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

Alpha alpha_of(double value) { return *Alpha::of(value); }
BinRange all_of(const Counts& counts) { return {0, counts.size() - 1}; }
RangeMargins margins_at_10(std::size_t bins) { return range_margins(bins, law_at<Geometric>(10), alpha_of(0.05)); }
struct Found {
  std::optional<BinRange> kept;
  RangeStatement statement;
};
Found found_in(const Counts& counts, const RangeMargins& margins) {
  const std::optional<BinRange> kept = occupied_bins(counts, margins);
  return {kept, statement_about(kept.value_or(all_of(counts)), counts, margins)};
}
Found found_in(const Counts& counts) { return found_in(counts, margins_at_10(counts.size())); }
std::int64_t total(const Counts& counts, std::size_t from, std::size_t to) {
  return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(from),
                         counts.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{0});
}

Counts spread(std::size_t bins, std::size_t first, std::size_t last, std::int64_t each) {
  Counts counts(bins, 0);
  for (std::size_t i = first; i <= last; ++i) counts[i] = each;
  return counts;
}

// What was said of these counts is true of them.
bool holds(const Found& found, const Counts& exact) {
  const std::int64_t n = total(exact, 0, exact.size());
  if (found.statement.total_at_least > n || found.statement.total_at_most < n) return false;
  if (!found.kept) return true;
  const std::int64_t below = total(exact, 0, found.kept->first);
  const std::int64_t above = total(exact, found.kept->last + 1, exact.size());
  return below <= found.statement.below_at_most && above <= found.statement.above_at_most &&
         (n == 0 ||
          static_cast<double>(below + above) / static_cast<double>(n) <= found.statement.share_outside_at_most());
}

template <class Law>
class Noisy {
 public:
  Noisy(double scale, std::uint64_t seed) : sampler_(law_at<Law>(scale)), source_(testing::seeded_source(seed)) {}
  Counts of(Counts counts) {
    Counts noise(counts.size());
    EXPECT_TRUE(sampler_.fill(source_, noise));
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += noise[i];
    return counts;
  }
  const Law& law() const { return sampler_.law(); }

 private:
  noise::IntegerSampler<Law> sampler_;
  testing::SeededSource source_;
};

TEST(OccupiedRange, IsFoundExactlyWhereCountsAreFarAboveTheNoise) {
  const Counts counts = spread(97, 50, 63, 100000);
  const Found found = found_in(counts);
  EXPECT_EQ(found.kept, (BinRange{50, 63}));
  EXPECT_LT(found.statement.share_outside_at_most(), 0.001);
  EXPECT_GT(found.statement.total_at_least, 1'390'000);
}

TEST(OccupiedRange, OfNoValuesIsNotFound) {
  for (const std::size_t bins : {1, 2, 97}) {
    const Counts counts(bins, 0);
    const Found found = found_in(counts);
    EXPECT_FALSE(found.kept);
    EXPECT_EQ(found.statement.total_at_least, 0);
    EXPECT_GT(found.statement.total_at_most, 0);
    EXPECT_EQ(found.statement.share_outside_at_most(), 0);
  }
}

TEST(OccupiedRange, OfAFewValuesIsNotFoundAndSaysHowManyThereMayBe) {
  const Counts counts = spread(97, 50, 50, 20);
  const Found found = found_in(counts);
  EXPECT_FALSE(found.kept);
  EXPECT_GE(found.statement.total_at_most, 20);
}

TEST(OccupiedRange, OfValuesThatAreSpreadThinlyIsFoundByLongRuns) {
  const Counts counts = spread(64, 8, 55, 30);  // no bin stands out by itself
  const Found found = found_in(counts);
  ASSERT_TRUE(found.kept);
  EXPECT_LE(total(counts, 0, found.kept->first) + total(counts, found.kept->last + 1, 64), 200);
  EXPECT_TRUE(holds(found, counts));
}

TEST(OccupiedRange, KeepsAnOutlyingBinThatStandsOut) {
  Counts counts = spread(97, 50, 55, 100000);
  counts[90] = 400;
  const Found found = found_in(counts);
  EXPECT_EQ(found.kept, (BinRange{50, 90}));
}

TEST(OccupiedRange, IsNotWidenedByEmptyBins) {
  Noisy<Geometric> noisy(10, 7);
  const RangeMargins margins = margins_at_10(97);
  std::size_t passed = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::optional<BinRange> kept = occupied_bins(noisy.of(spread(97, 50, 55, 100000)), margins);
    passed += (50 - kept->first) + (kept->last - 55);
  }
  EXPECT_LE(passed, 400U);  // 0.2 at each end, on average
}

TEST(OccupiedRange, OfHugeCountsDoesNotOverflow) {
  const Counts counts(128, std::numeric_limits<std::int64_t>::max());
  const Found found = found_in(counts);
  EXPECT_EQ(found.kept, (BinRange{0, 127}));
  EXPECT_EQ(found.statement.total_at_least, std::int64_t{1} << 53);
  const Counts less(128, std::numeric_limits<std::int64_t>::min());
  EXPECT_FALSE(found_in(less).kept);
}

template <class Law>
void expect_true_statements(double scale, double alpha) {
  constexpr std::uint64_t trials = 4000;
  Noisy<Law> noisy(scale, 8);
  const RangeMargins margins = range_margins(60, noisy.law(), alpha_of(alpha));
  Counts tail = spread(60, 20, 30, 5000);
  for (std::size_t i = 31; i < 45; ++i) tail[i] = 2500 >> (i - 31);
  for (const Counts& exact :
       {Counts(60, 0), spread(60, 30, 30, 1), spread(60, 30, 30, 300), spread(60, 10, 50, 12), tail}) {
    std::uint64_t untrue = 0;
    for (std::uint64_t i = 0; i < trials; ++i) {
      if (!holds(found_in(noisy.of(exact), margins), exact)) ++untrue;
    }
    EXPECT_LE(untrue, testing::unsurprising_counts(trials, alpha, testing::false_alarm).greatest);
  }
}

TEST(OccupiedRange, SaysWhatIsTrueAsOftenAsItPromises) {
  expect_true_statements<Geometric>(10, 0.05);
  expect_true_statements<Geometric>(1, 0.2);
  expect_true_statements<DiscreteGaussian>(20, 0.1);
  EXPECT_FALSE(HasFailure());
}

TEST(OccupiedRange, OfNoValuesIsRarelyFoundInNoise) {
  constexpr std::uint64_t trials = 20000;
  Noisy<Geometric> noisy(10, 9);
  const RangeMargins margins = range_margins(97, noisy.law(), alpha_of(0.2));
  const Counts exact(97, 0);
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    if (found_in(noisy.of(exact), margins).kept) ++found;
  }
  EXPECT_LE(found, testing::unsurprising_counts(trials, 0.05, testing::false_alarm).greatest);  // a quarter of alpha
}

}  // namespace
}  // namespace vernier::interval
