#include "vernier/table/row_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/seeded_bits.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::table {
namespace {

constexpr std::size_t columns = 4;
using Row = std::array<std::uint32_t, columns>;

// The second goes with the first, the third with the second, the fourth with none.
std::vector<Row> tied_rows(int count) {
  std::mt19937_64 random(1);
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    const auto any = [&](std::uint32_t keys) { return static_cast<std::uint32_t>(random() % keys); };
    const std::uint32_t first = any(3), second = any(5) == 0 ? any(4) : first,
                        third = any(4) == 0 ? any(2) : second % 2;
    rows.push_back({first, second, third, any(10) < 7 ? 0U : 1U});
  }
  return rows;
}

Noisy contrasts_with(const Lattice& lattice, const Laws& laws, const std::vector<Row>& rows, bool has_noise) {
  CountedRows counted;
  for (const Row& row : rows) {
    counted.codes.insert(counted.codes.end(), row.begin(), row.end());
    counted.rows.push_back(1);
  }
  const Exact exact = contrasts_of(lattice, counted);
  testing::SeededSource source = testing::seeded_source(3);
  Noisy noisy;
  for (std::size_t k = 0; k < exact.size(); ++k) {
    noisy.emplace_back(exact[k].size(), 0);
    if (has_noise) {
      EXPECT_TRUE(noise::IntegerSampler<noise::DiscreteGaussian>(laws[k]).fill(source, noisy.back()));
    }
    for (std::size_t j = 0; j < exact[k].size(); ++j) noisy.back()[j] += static_cast<std::int64_t>(exact[k][j]);
  }
  return noisy;
}

std::map<Row, double> shares_of(const std::vector<Row>& rows) {
  std::map<Row, double> shares;
  for (const Row& row : rows) shares[row] += 1.0 / static_cast<double>(rows.size());
  return shares;
}

std::vector<Row> drawn(const RowModel& model, int count) {
  RowDraws draws(7);
  std::vector<Row> rows(static_cast<std::size_t>(count));
  for (Row& row : rows) model.draw(draws, row);
  return rows;
}

Laws even_laws(const Lattice& lattice, double variance) {
  return laws_of(lattice, std::vector<double>(lattice.residuals().size(), variance)).value();
}

double distance(const std::vector<Row>& a, const std::vector<Row>& b) {
  std::map<Row, double> left = shares_of(a);
  for (const auto& [row, share] : shares_of(b)) left[row] -= share;
  double sum = 0;
  for (const auto& [row, off] : left) sum += std::abs(off) / 2;
  return sum;
}

TEST(RowModel, DrawsRowsAsTheTablesOfTwoColumnsSayThatGoTogether) {
  const Lattice lattice = Lattice::of({3, 4, 2, 2}, all_up_to(columns, 2).value()).value();
  const std::vector<Row> rows = tied_rows(20'000);
  const Laws laws = even_laws(lattice, 4);
  const RowModel model = RowModel::of(lattice, laws, contrasts_with(lattice, laws, rows, true));
  EXPECT_EQ(model.parts().size(), columns);
  EXPECT_LT(distance(rows, drawn(model, 20'000)), 0.04);
}

TEST(RowModel, TakesNoiseForNoTie) {
  const Lattice lattice = Lattice::of({3, 4, 2, 2}, all_up_to(columns, 2).value()).value();
  std::mt19937_64 random(2);
  std::vector<Row> rows(300);
  for (Row& row : rows)
    row = {static_cast<std::uint32_t>(random() % 3), static_cast<std::uint32_t>(random() % 4), 0, 1};
  const Laws laws = even_laws(lattice, 10'000);
  const RowModel model = RowModel::of(lattice, laws, contrasts_with(lattice, laws, rows, true));
  int tied = 0;
  for (const RowModel::Part& part : model.parts()) tied += part.parents.empty() ? 0 : 1;
  EXPECT_LE(tied, 2);
}

TEST(RowModel, DrawsTheSameRowsAgainAndHasEveryColumnOfATableOfOne) {
  const Lattice lattice = Lattice::of({3, 4, 2, 2}, {{0}, {1}}).value();
  const std::vector<Row> rows = tied_rows(5000);
  const Laws laws = even_laws(lattice, 1);
  const RowModel model = RowModel::of(lattice, laws, contrasts_with(lattice, laws, rows, false));
  EXPECT_EQ(drawn(model, 100), drawn(model, 100));
  const std::vector<Row> made = drawn(model, 20'000);
  const auto share = [](const std::vector<Row>& all, std::size_t column, std::uint32_t key) {
    return static_cast<double>(std::ranges::count_if(all, [&](const Row& row) { return row[column] == key; })) /
           static_cast<double>(all.size());
  };
  for (std::uint32_t key = 0; key < 4; ++key) EXPECT_NEAR(share(made, 1, key), share(rows, 1, key), 0.02);
  EXPECT_NEAR(share(made, 3, 1), 0.5, 0.02);  // no table has it
}

}  // namespace
}  // namespace vernier::table
