#include <random>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"

// The node sums of weighted rows, as an engine adds them up: by hand, by every way there, and unit by unit.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

// Weights in steps of 0.25, from 2 to 40 of them; 25 steps of x, 6 of n.
const std::string table =
    "[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\nweight = \"w\"\nrow_limit = 1000\n[tables.t.columns]\n"
    "id = { type = \"integer\" }\n"
    "x = { type = \"real\", lower = -2.5, upper = 10, granularity = 0.5 }\n"
    "n = { type = \"integer\", lower = 3, upper = 9 }\n"
    "w = { type = \"real\", lower = 0.5, upper = 10, granularity = 0.25 }\n";

const std::string population = "covers = \"population\"";

struct Weighted {
  std::int64_t k;
  std::int64_t weight;  // steps
};

// Total, from above, from below.
std::vector<std::int64_t> expected(const std::vector<Weighted>& rows, const plan::Measurement& moments) {
  const auto nodes = interval::MeanNodes::moments(moments.steps, moments.fineness).value();
  std::vector<std::int64_t> tallies(3);
  for (const Weighted& one : rows) {
    tallies[0] += one.weight * nodes.weight();
    tallies[1] += one.weight * nodes.row(one.k)[0];
    tallies[2] += one.weight * nodes.row(one.k)[2];
  }
  return tallies;
}

std::vector<std::int64_t> tallies_of(Session& session, const plan::BoundStatistic& statistic, BoundingForm form) {
  const auto groups = groups_of(session, plan::render(statistic, form), {1, 2});
  std::vector<std::int64_t> found;
  for (const std::size_t tally : statistic.measurements.front().tallies) {
    found.push_back(groups.empty() ? 0 : groups.front().tallies[tally]);
  }
  return found;
}

// Clamped weights, one that lies between two steps, and rows without a weight or without a value, which do not count.
TEST(DuckDbWeighted, AddUpWeightsTimesNodes) {
  const DataFolder folder;
  folder.write("t.csv",
               "id,x,n,w\n1,-2.5,3,1\n2,10,9,99\n3,4.2,5,-7\n4,-99,-4,2.3\n5,0.74,7,3\n6,1,4,nan\n7,1,4,\n8,nan,,5\n");
  const auto session = session_of(folder.catalog(table));
  const std::vector<std::int64_t> weights = {4, 40, 2, 9, 12};
  const auto expect = [&](const std::string& argument, const std::vector<std::int64_t>& steps) {
    const auto statistic = statistic_of("SELECT AVG(" + argument + ") AS v FROM t", population, table);
    std::vector<Weighted> rows;
    for (std::size_t i = 0; i < steps.size(); ++i) rows.push_back({steps[i], weights[i]});
    for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
      EXPECT_EQ(tallies_of(*session, statistic, form), expected(rows, statistic.measurements.front())) << argument;
    }
  };
  expect("x", {0, 25, 13, 0, 6});
  expect("n", {0, 6, 2, 0, 4});
  expect("CASE WHEN n > 4 THEN 1 WHEN n <= 4 THEN 0 END", {0, 1, 1, 0, 1});
}

// Rows 6 and 7 have no weight, row 8 has no x: the sums of weights of those that count.
TEST(DuckDbWeighted, AddUpWeightsOfRowsThatAreCounted) {
  const DataFolder folder;
  folder.write("t.csv",
               "id,x,n,w\n1,-2.5,3,1\n2,10,9,99\n3,4.2,5,-7\n4,-99,-4,2.3\n5,0.74,7,3\n6,1,4,nan\n7,1,4,\n8,nan,,5\n");
  const auto session = session_of(folder.catalog(table));
  const auto statistic = statistic_of("SELECT COUNT(*) AS a, COUNT(x) AS b, COUNT(n) AS c FROM t", population, table);
  for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
    const auto group = groups_of(*session, plan::render(statistic, form), {1, 2}).front();
    std::vector<std::int64_t> found;
    for (const plan::Measurement& one : statistic.measurements) found.push_back(group.tallies[one.tallies[0]]);
    EXPECT_EQ(found, (std::vector<std::int64_t>{4 + 40 + 2 + 9 + 12 + 20, 67, 67}));
  }
}

// Of a unit with several rows the mean weight counts, rounded down: never more than the heaviest.
TEST(DuckDbWeighted, AddUpOneWeightOfAUnitWithManyRows) {
  const DataFolder folder;
  folder.write("t.csv", "id,x,n,w\n1,1,3,10\n1,2,3,9.75\n1,3,9,9.75\n2,1,1,\n2,1,1,2\n");
  const auto session = session_of(folder.catalog(table));
  const auto statistic = statistic_of("SELECT COUNT(*) AS a FROM t", population, table);
  for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
    EXPECT_EQ(tallies_of(*session, statistic, form), (std::vector<std::int64_t>{(40 + 39 + 39) / 3 + 8}));
  }
  EXPECT_EQ(statistic.measurements[0].sensitivity.shift, 40);
}

TEST(DuckDbWeighted, AreTheSameWhereEveryRowIsAUnit) {
  const DataFolder folder;
  folder.write("t.csv", "id,x,n,w\n1,3,3,1\n2,4,9,10\n3,5,5,0.5\n");
  std::string by_row = table;
  by_row.replace(by_row.find("\"id\""), 4, "\"row\"");
  const auto session = session_of(folder.catalog(by_row));
  const auto statistic = statistic_of("SELECT AVG(n) AS v FROM t", population, by_row);
  const auto all = expected({{0, 4}, {6, 40}, {2, 2}}, statistic.measurements.front());
  EXPECT_EQ(tallies_of(*session, statistic, BoundingForm::rows), all);
}

// Of a unit with several rows each sum is scaled and truncated by itself: no node falls below 0, and all of them
// together stay at the weight of the heaviest row.
TEST(DuckDbWeighted, OfAUnitWithManyRowsStayWithinWhatOneCanMove) {
  const DataFolder folder;
  folder.write("t.csv", "id,x,n,w\n1,,3,0.5\n1,,3,0.75\n1,,9,10\n1,,3,10\n1,,8,10\n");
  const auto session = session_of(folder.catalog(table));
  const auto statistic = statistic_of("SELECT AVG(n) AS v FROM t", population, table);
  const plan::Measurement& moments = statistic.measurements.front();
  const auto all = expected({{0, 2}, {0, 3}, {6, 40}, {0, 40}, {5, 40}}, moments);
  for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
    const auto found = tallies_of(*session, statistic, form);
    EXPECT_EQ(found, (std::vector<std::int64_t>{all[0] / 5, all[1] / 5, all[2] / 5}));
    EXPECT_GE(found[0] - found[1] - found[2], 0);
    EXPECT_LE(found[0], moments.sensitivity.shift);
  }
  EXPECT_EQ(moments.sensitivity.shift, 40 * moments.steps * moments.fineness);
}

std::string csv_without(int left_out, std::mt19937_64 random) {
  std::string csv = "id,x,n,w\n";
  for (int i = 0; i < 60; ++i) {
    const int unit = static_cast<int>(random() % 12), x = static_cast<int>(random() % 16),
              w = static_cast<int>(random() % 50);
    if (unit == left_out) continue;
    csv.append(std::to_string(unit)).append(",").append(std::to_string(x - 4)).append(",").append(std::to_string(x));
    csv.append(",").append(w == 0 ? "" : std::to_string(w / 4.0)).append("\n");
  }
  return csv;
}

// Whoever leaves takes something from every node, and never more than is charged from all of them together.
TEST(DuckDbWeighted, OfAUnitThatLeavesAreWhatIsCharged) {
  const DataFolder folder;
  for (const std::string argument : {"x", "n"}) {
    const auto statistic = statistic_of("SELECT AVG(" + argument + ") AS v FROM t", population, table);
    const auto nodes = [&](int left_out) {
      folder.write("t.csv", csv_without(left_out, std::mt19937_64(3)));
      const auto session = session_of(folder.catalog(table));
      const auto sums = tallies_of(*session, statistic, BoundingForm::bottom_m);
      return std::vector<std::int64_t>{sums[1], sums[0] - sums[1] - sums[2], sums[2]};
    };
    const std::vector<std::int64_t> all = nodes(-1);
    std::int64_t most = 0;
    for (int unit = 0; unit < 12; ++unit) {
      const std::vector<std::int64_t> rest = nodes(unit);
      std::int64_t moved = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GE(all[i], rest[i]);
        moved += all[i] - rest[i];
      }
      most = std::max(most, moved);
    }
    EXPECT_LE(most, statistic.measurements.front().sensitivity.shift);
    EXPECT_GT(3 * most, statistic.measurements.front().sensitivity.shift);
  }
}

// The sum of weights falls by what is charged at most where a unit leaves.
TEST(DuckDbWeighted, OfAUnitThatLeavesWeighAtMostWhatIsCharged) {
  const DataFolder folder;
  const auto statistic = statistic_of("SELECT COUNT(n) AS v FROM t", population, table);
  const auto count = [&](int left_out) {
    folder.write("t.csv", csv_without(left_out, std::mt19937_64(3)));
    const auto session = session_of(folder.catalog(table));
    return tallies_of(*session, statistic, BoundingForm::bottom_m).front();
  };
  const std::int64_t all = count(-1);
  std::int64_t most = 0;
  for (int unit = 0; unit < 12; ++unit) {
    EXPECT_GE(all, count(unit));
    most = std::max(most, all - count(unit));
  }
  EXPECT_LE(most, statistic.measurements.front().sensitivity.shift);
  EXPECT_GT(2 * most, statistic.measurements.front().sensitivity.shift);
}

}  // namespace
}  // namespace vernier::engine
