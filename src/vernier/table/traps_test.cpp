#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "vernier/numeric/normal.hpp"
#include "vernier/table/cells.hpp"
#include "vernier/table/design.hpp"
#include "vernier/table/noise.hpp"

// What is easily done wrong with tables that add up, each as a test that shows what it would lead to.
namespace vernier::table {
namespace {

constexpr std::int64_t row_limit = 1'000'000;

// So many rows, of keys that fall off quickly.
CountedRows falling_rows(const Lattice& lattice, int count) {
  CountedRows rows;
  for (int i = 0; i < count; ++i) {
    int rest = i;
    for (const std::int64_t n : lattice.keys()) {
      const int place = rest % 7 == 0 ? rest / 7 : rest % 3;
      rows.codes.push_back(static_cast<std::uint32_t>(place % n));
      rest = rest / 3 + i;
    }
    rows.rows.push_back(1);
  }
  return rows;
}

Noisy without_noise(const Exact& exact) {
  Noisy noisy;
  for (const auto& one : exact) noisy.emplace_back(one.begin(), one.end());
  return noisy;
}

Noisy with_noise(const Lattice& lattice, const Laws& laws, const CountedRows& rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Noisy noisy = without_noise(contrasts_of(lattice, rows));
  for (std::size_t i = 0; i < noisy.size(); ++i) {
    std::normal_distribution<double> normal(0, laws[i].scale());
    for (std::int64_t& one : noisy[i]) one += std::llround(normal(random));
  }
  return noisy;
}

// All cells within the same distance.
Laws even_laws(const Lattice& lattice, double deviation) {
  const Design design = design_for(lattice, std::vector<double>(lattice.tables().size(), deviation * deviation));
  return laws_of(lattice, design.variances).value();
}

Alpha alpha(double value) { return Alpha::of(value).value(); }

TEST(TableTraps, SumsOfValuesAreFarTooLargeAndSumsOfEstimatesAreNot) {
  const Lattice lattice = Lattice::of({40, 40}, all_up_to(2, 2).value()).value();
  const Laws laws = even_laws(lattice, 20);
  const Noisy noisy = with_noise(lattice, laws, falling_rows(lattice, 1000), 1);
  const std::vector<double> reaches = reaches_of(lattice, laws, alpha(0.05));
  const auto both = cells_of(lattice, 3, noisy, reaches[3], row_limit);
  const double total = cells_of(lattice, 0, noisy, reaches[0], row_limit).front().estimate;
  double estimates = 0, values = 0;
  for (const Cell& one : both) {
    estimates += one.estimate;
    values += static_cast<double>(one.value);
  }
  EXPECT_NEAR(estimates, total, 1e-6);
  EXPECT_NEAR(total, 1000, 4 * 20);
  EXPECT_GT(values, 6 * total);
}

// Rows that lack one key must be in all tables, or in none: where each table drops its own, no noise is to blame.
TEST(TableTraps, RowsThatAreInSomeTablesAloneMakeCellsWrongWithoutAnyNoise) {
  const Lattice lattice = Lattice::of({3, 3}, all_up_to(2, 2).value()).value();  // the last key is that of the rest
  const CountedRows rows = falling_rows(lattice, 200);
  CountedRows complete;  // those that have both keys
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    if (rows.codes[2 * i] == 2 || rows.codes[2 * i + 1] == 2) continue;
    complete.codes.insert(complete.codes.end(), {rows.codes[2 * i], rows.codes[2 * i + 1]});
    complete.rows.push_back(1);
  }
  ASSERT_LT(complete.rows.size(), rows.rows.size());
  const auto total_of_pairs = [&](const Noisy& noisy) {
    double sum = 0;
    for (const Cell& one : cells_of(lattice, 3, noisy, 1e-9, row_limit)) sum += one.estimate;
    return sum;
  };
  const auto corner = [&](const Noisy& noisy) { return cells_of(lattice, 3, noisy, 1e-9, row_limit)[0].estimate; };
  const auto counted = [](const CountedRows& some) {
    double sum = 0;
    for (std::size_t i = 0; i < some.rows.size(); ++i) sum += some.codes[2 * i] == 0 && some.codes[2 * i + 1] == 0;
    return sum;
  };
  const Noisy all = without_noise(contrasts_of(lattice, rows));
  EXPECT_NEAR(corner(all), counted(rows), 1e-9);
  Noisy mixed = all;  // what belongs to both columns is of the complete rows alone
  mixed[3] = without_noise(contrasts_of(lattice, complete))[3];
  EXPECT_NEAR(total_of_pairs(mixed), static_cast<double>(rows.rows.size()), 1e-9);  // the sums hide it
  EXPECT_GT(std::abs(corner(mixed) - counted(rows)), 0.5);
}

TEST(TableTraps, AColumnOfOneKeyHasNoContrastAndCostsNothing) {
  const Lattice lattice = Lattice::of({1, 3}, all_up_to(2, 2).value()).value();
  const Lattice other = Lattice::of({3}, all_up_to(1, 1).value()).value();
  ASSERT_EQ(lattice.residuals().size(), 2U);
  const Laws laws = even_laws(lattice, 5), alone = even_laws(other, 5);
  EXPECT_EQ(laws[1].scale(), alone[1].scale());
  const Noisy noisy = without_noise(contrasts_of(lattice, falling_rows(lattice, 90)));
  double sum = 0;
  for (const Cell& one : cells_of(lattice, 3, noisy, 1e-9, row_limit)) sum += one.estimate;
  EXPECT_NEAR(sum, 90, 1e-9);
}

TEST(TableTraps, NoiseOfAScaleThatCannotBeDrawnIsRefusedWithTheOrderToLower) {
  const Lattice lattice = Lattice::of({100, 100, 100, 100}, {{0, 1, 2, 3}}).value();
  const std::vector<double> variances(lattice.residuals().size(), 1e10);  // deviations of 1e5, times 10^8 cells
  const auto refused = laws_of(lattice, variances);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("the tables of 4 columns"), std::string::npos);
  EXPECT_NE(refused.error().sentence().find("lower up_to"), std::string::npos);
}

TEST(TableTraps, TheLeastMeanErrorOfAllCellsHidesATotalThatIsUseless) {
  const Lattice lattice =
      Lattice::of({85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2}, all_up_to(14, 3).value()).value();
  std::vector<double> sizes;
  for (const Columns& set : lattice.tables()) sizes.push_back(static_cast<double>(lattice.cells(set)));
  const auto total_over_even = [&](const Design& design) {
    const double even = design_for(lattice, std::vector<double>(sizes.size(), 1)).cost;  // at variance 1 everywhere
    return std::sqrt(table_variances(lattice, design.variances)[0] * design.cost / even);
  };
  EXPECT_GT(total_over_even(design_of_least_sum(lattice, sizes)), 9);
  EXPECT_LT(total_over_even(design_for(lattice, std::vector<double>(sizes.size(), 1))), 1.0001);
}

// Lists of cells that are not empty need a level at which all cells hold at once.
TEST(TableTraps, EmptyCellsLieAboveIntervalsThatHoldForOneCellByItself) {
  const Lattice lattice = Lattice::of({60, 60}, all_up_to(2, 2).value()).value();
  const Laws laws = even_laws(lattice, 20);
  CountedRows one;
  one.codes.assign({0, 0});
  one.rows.push_back(1);
  const Noisy noisy = with_noise(lattice, laws, one, 2);
  const auto above_zero = [&](double level) {
    const double reach = reaches_of(lattice, laws, alpha(level))[3];
    int count = 0;
    for (const Cell& cell : cells_of(lattice, 3, noisy, reach, row_limit)) count += cell.low > 0;
    return count;
  };
  EXPECT_GT(above_zero(0.05), 30);  // about 2.5 % of 3,600
  EXPECT_EQ(above_zero(0.05 / 3600), 0);
}

// Of 3,600 cells of one row in all the numbers 0 are nearer than estimates without bias.
TEST(TableTraps, SparseTablesAreFurtherOffThanNoAnswerAtAll) {
  const Lattice lattice = Lattice::of({60, 60}, all_up_to(2, 2).value()).value();
  const Laws laws = even_laws(lattice, 20);
  const CountedRows rows = falling_rows(lattice, 500);
  const Noisy noisy = with_noise(lattice, laws, rows, 3);
  const Noisy exact = without_noise(contrasts_of(lattice, rows));
  const auto truth = cells_of(lattice, 3, exact, 1e-9, row_limit), found = cells_of(lattice, 3, noisy, 40, row_limit);
  double of_zero = 0, of_estimates = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    of_zero += truth[i].estimate * truth[i].estimate;
    of_estimates += (found[i].estimate - truth[i].estimate) * (found[i].estimate - truth[i].estimate);
  }
  EXPECT_GT(of_estimates, of_zero);
}

}  // namespace
}  // namespace vernier::table
