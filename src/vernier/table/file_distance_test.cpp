#include "vernier/table/file_distance.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/table/design.hpp"

namespace vernier::table {
namespace {

constexpr std::size_t columns = 3;

Lattice small_lattice() { return Lattice::of({3, 4, 2}, all_up_to(columns, 2).value()).value(); }

CountedRows random_rows(const Lattice& lattice, std::mt19937_64& random, int count, bool is_tied) {
  CountedRows rows;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(random() % 3);
    rows.codes.push_back(first);
    rows.codes.push_back(is_tied ? first : static_cast<std::uint32_t>(random() % 4));
    rows.codes.push_back(static_cast<std::uint32_t>(random() % 2));
    rows.rows.push_back(1);
  }
  EXPECT_EQ(lattice.keys().size(), columns);
  return rows;
}

double count_in(const CountedRows& rows, const Columns& set, const std::vector<std::uint32_t>& keys) {
  double count = 0;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    bool is_in = true;
    for (std::size_t k = 0; k < set.size(); ++k) is_in = is_in && rows.codes[i * columns + set[k]] == keys[k];
    count += is_in ? 1 : 0;
  }
  return count;
}

// By its meaning: over all cells of all tables, the file's counts times a factor against those of the rows.
double true_distance(const Lattice& lattice, const CountedRows& rows, const CountedRows& file, double factor) {
  double squares = 0, cells = 0;
  for (const Columns& set : lattice.tables()) {
    std::vector<std::uint32_t> keys(set.size(), 0);
    for (std::int64_t cell = 0; cell < lattice.cells(set); ++cell) {
      std::int64_t rest = cell;
      for (std::size_t k = set.size(); k-- > 0;) {
        keys[k] = static_cast<std::uint32_t>(rest % lattice.keys()[set[k]]);
        rest /= lattice.keys()[set[k]];
      }
      const double off = factor * count_in(file, set, keys) - count_in(rows, set, keys);
      squares += off * off, cells += 1;
    }
  }
  return std::sqrt(squares / cells);
}

Laws laws_at(const Lattice& lattice, double variance) {
  return laws_of(lattice, std::vector<double>(lattice.residuals().size(), variance)).value();
}

TEST(FileDistance, IsTheRootOfTheMeanSquareWhereThereIsNoNoise) {
  const Lattice lattice = small_lattice();
  std::mt19937_64 random(3);
  const CountedRows rows = random_rows(lattice, random, 500, true), file = random_rows(lattice, random, 250, false);
  Noisy exact;
  for (const auto& one : contrasts_of(lattice, rows)) exact.emplace_back(one.begin(), one.end());
  const FileDistance found = distance_of(lattice, laws_at(lattice, 1e-6), exact, file, *Alpha::of(0.05));
  EXPECT_NEAR(found.value, true_distance(lattice, rows, file, 2), 0.01);
  EXPECT_LE(found.low, found.value);
  EXPECT_GE(found.high, found.value);
  EXPECT_LT(found.high - found.low, 0.1);
  EXPECT_NEAR(found.rows, 500, 1e-9);
}

struct Coverage {
  int held = 0, held_shorter = 0;
  double squares = 0;
};
Coverage coverage_of(bool is_tied, int draws) {
  const Lattice lattice = small_lattice();
  const Laws laws = laws_at(lattice, 30);
  std::mt19937_64 random(5);
  const CountedRows rows = random_rows(lattice, random, 800, true);
  const CountedRows file = is_tied ? rows : random_rows(lattice, random, 800, false);
  const Exact exact = contrasts_of(lattice, rows);
  testing::SeededSource source = testing::seeded_source(11);
  Coverage found;
  for (int i = 0; i < draws; ++i) {
    Noisy noisy;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      noisy.emplace_back(exact[k].size());
      EXPECT_TRUE(noise::IntegerSampler<noise::DiscreteGaussian>(laws[k]).fill(source, noisy.back()));
      for (std::size_t j = 0; j < exact[k].size(); ++j) noisy.back()[j] += static_cast<std::int64_t>(exact[k][j]);
    }
    const FileDistance one = distance_of(lattice, laws, noisy, file, *Alpha::of(0.05));
    const double truth = true_distance(lattice, rows, file, one.rows / 800);
    // The total is in the true distance, and not in what is told of shares.
    const double off = one.rows - 800;
    double cells = 0;
    double of_total = 0;
    for (const Columns& set : lattice.tables()) {
      cells += static_cast<double>(lattice.cells(set));
      of_total += off * off / static_cast<double>(lattice.cells(set));
    }
    const double of_shares = std::sqrt(std::max(truth * truth - of_total / cells, 0.0));
    const double third = (one.high - one.low) / 3;
    found.held += one.low <= of_shares && of_shares <= one.high ? 1 : 0;
    found.held_shorter += one.low + third <= of_shares && of_shares <= one.high - third ? 1 : 0;
    found.squares += (one.value * one.value - of_shares * of_shares) / draws;
  }
  return found;
}

// 2,000 draws at 0.05: fewer than 1,850 would be missed by a true coverage of 0.95 with a chance below 1e-6.
TEST(FileDistance, HasIntervalsThatHoldAndThirdsOfThemDoNot) {
  const Coverage far = coverage_of(false, 2000);
  EXPECT_GE(far.held, 1850);
  EXPECT_LT(far.held_shorter, 1850);
  EXPECT_NEAR(far.squares, 0, 20);
}

TEST(FileDistance, OfTheRowsThemselvesReachesDownToZeroAndNotBeyondTheLimitByMuch) {
  const Coverage near = coverage_of(true, 500);
  EXPECT_GE(near.held, 450);
  const Lattice lattice = small_lattice();
  const double fine = distance_limit(lattice, laws_at(lattice, 30), *Alpha::of(0.05));
  const double coarse = distance_limit(lattice, laws_at(lattice, 120), *Alpha::of(0.05));
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(coarse, 2 * fine, 0.01 * coarse);
}

}  // namespace
}  // namespace vernier::table
