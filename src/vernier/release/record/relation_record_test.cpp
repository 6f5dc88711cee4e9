#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/signed_releases.hpp"
#include "vernier/interval/relation/relation.hpp"

// Releases of a pair, by its nine node sums: what they say of its grids is in the record, and cannot be changed there,
// whoever signs again.
namespace vernier::release {
namespace {

using testing::BoundStatistic;
using testing::Json;
using testing::problem_of;
using testing::RawGroup;
using testing::TallyKind;

constexpr std::int64_t x_steps = 15;

// The weight of so many steps of y with a row_limit of a million: the products as they are, or divided by this.
struct Grid {
  std::int64_t steps, fineness;
};
constexpr Grid exact{70, 1}, divided{70'000, -1027};

plan::Measurement pair_of(const Grid& grid, const plan::Figure& figure, std::size_t place) {
  plan::Measurement made = testing::measured(plan::Pair::kind, place, {0, 1, 2, 3, 4, 5, 6, 7, 8}, 0, 0);
  made.figure = figure;
  made.origin = -50;
  made.steps = grid.steps;
  made.fineness = grid.fineness;
  made.paired = plan::PairedGrid{1, 1, x_steps, false};
  made.greatest = 1'000'000 * plan::pair_weight(made);
  made.width = place == 0 ? 9 : 0;
  if (place > 0) made.source = 0;
  return made;
}

// SELECT region, REGR_SLOPE(debt, educ) AS slope, REGR_AVGY(debt, educ) AS y, REGR_COUNT(debt, educ) AS n ...
BoundStatistic related(const Grid& grid) {
  BoundStatistic made = testing::by_region();
  const query::Expression y = made.arguments[0].expression, x = made.arguments[1].expression;
  made.measurements = {pair_of(grid, plan::Pair::slope, 0), pair_of(grid, plan::Pair::mean_y, 1),
                       pair_of(grid, plan::Figure::count, 2)};
  made.query.aggregations = {{query::Aggregate::regression_slope, y, "slope", {}, x},
                             {query::Aggregate::regression_mean_y, y, "y", {}, x},
                             {query::Aggregate::regression_count, y, "n", {}, x}};
  made.query.outputs = {{true, 0}, {false, 0}, {false, 1}, {false, 2}};
  made.arguments.clear();
  made.tallies = {{TallyKind::values, 0}};
  for (std::size_t node = 0; node + 1 < interval::pair_nodes; ++node) {
    const auto number = query::literal(static_cast<std::int64_t>(node + 1));  // so that each is another expression
    const query::Expression product = query::apply(query::Operation::multiply, {x, number}).value();
    made.arguments.push_back({product, 1, 0, {0, plan::pair_weight(made.measurements[0])}});
    made.tallies.push_back({TallyKind::sum, node});
  }
  return made;
}

// 600 rows on a line in the first group, 40 at two places in the second, none in the third.
std::vector<RawGroup> rows_on_a_line(const BoundStatistic& statistic) {
  const plan::Measurement& one = statistic.measurements[0];
  const interval::PairShape shape{{x_steps, 1, 16}, {one.steps, -50, 20}, one.fineness, 1'000'000};
  std::vector<RawGroup> groups;
  for (const std::int64_t rows : {600, 40, 0}) {
    std::vector<std::int64_t> tallies(9, 0);
    tallies[0] = rows;
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::int64_t k = i % (x_steps + 1);
      const auto row = interval::pair_row(shape, k, k * one.steps / x_steps);
      for (std::size_t node = 0, next = 1; node < row.size(); ++node) {
        if (node != interval::middle_node) tallies[next++] += row[node];
      }
    }
    groups.push_back({static_cast<std::int64_t>(groups.size()), {}, tallies});
  }
  return groups;
}

Json record_of(const Grid& grid) {
  const Release made = testing::released({related(grid)}, {.study = {.epsilon = "20"}}, rows_on_a_line);
  return Json::parse(testing::record_of(made));
}

TEST(RelationRecord, Holds) {
  for (const Grid& grid : {exact, divided}) EXPECT_EQ(problem_of(record_of(grid)), "") << grid.steps;
}

TEST(RelationRecord, HasWhatTheRowsSay) {
  for (const Grid& grid : {exact, divided}) {
    const Json row = record_of(grid)["statistics"][0]["rows"][0];
    const double slope = static_cast<double>(grid.steps) / x_steps;
    EXPECT_NEAR(row["slope"]["value"].get<double>(), slope, slope / 4);
    EXPECT_NEAR(row["n"]["value"].get<double>(), 600, 20);
    EXPECT_EQ(row["slope"]["coverage"], "proven");
  }
}

TEST(RelationRecord, RefusesEveryChangedWordOfItsGridsAndNumbers) {
  for (const Grid& grid : {exact, divided}) {
    EXPECT_GT(testing::expect_changes_refused(record_of(grid), {{"/paired/", "/fineness", "/steps", "/rows/0/"}}), 30);
  }
}

}  // namespace
}  // namespace vernier::release
