#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"

// The weights by value that quantiles of weighted rows are chosen from.
namespace vernier::engine {
namespace {

using noise::Occupied;
using plan::BoundingForm;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;
using Histogram = std::vector<Occupied>;

// Weights in steps of 0.25, from 2 to 40 of them; x from -2.5 on in steps of 0.5.
const std::string by_unit =
    "[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\nweight = \"w\"\nrow_limit = 1000\n[tables.t.columns]\n"
    "id = { type = \"integer\" }\n"
    "x = { type = \"real\", lower = -2.5, upper = 10, granularity = 0.5 }\n"
    "big = { type = \"real\", lower = 0, upper = 4194303, granularity = 1 }\n"
    "w = { type = \"real\", lower = 0, upper = 10, granularity = 0.25 }\n";

std::string by_row() {
  std::string table = by_unit;
  return table.replace(table.find("\"id\""), 4, "\"row\"");
}

plan::BoundStatistic median_of(const std::string& argument, const std::string& table) {
  return statistic_of("SELECT MEDIAN(" + argument + ") AS m FROM t", "covers = \"population\"", table);
}

std::vector<BoundingForm> forms_of(const std::string& table) {
  if (table == by_unit) return {BoundingForm::window, BoundingForm::bottom_m};
  return {BoundingForm::rows, BoundingForm::window};
}

Histogram histogram_of(Session& session, const plan::BoundStatistic& statistic, BoundingForm form) {
  const auto groups = groups_of(session, plan::render(statistic, form), {1, 2});
  return groups.empty() ? Histogram{} : groups.front().histograms.front();
}

// Clamped weights, one between two steps, ties of different weights, one that weighs nothing, and rows without a weight
// or without a value.
TEST(DuckDbWeightedRanks, AddUpTheWeightsOfEachValue) {
  const DataFolder folder;
  folder.write(
      "t.csv",
      "id,x,big,w\n1,-2.5,0,1\n2,10,5,99\n3,4.2,3,-7\n4,-99,4194303,2.3\n5,-2.5,8,3\n6,1,1,nan\n7,1,2,\n8,nan,9,5\n"
      "9,10,4,0.3\n10,3,4194302,0.1\n");
  for (const std::string& table : {by_unit, by_row()}) {
    const auto session = session_of(folder.catalog(table));
    for (const BoundingForm form : forms_of(table)) {
      EXPECT_EQ(histogram_of(*session, median_of("x", table), form), (Histogram{{0, 4 + 9 + 12}, {25, 40 + 1}}));
      // 2^22 values, in runs of four
      EXPECT_EQ(histogram_of(*session, median_of("big", table), form),
                (Histogram{{0, 4}, {1, 40 + 1}, {2, 12 + 20}, {1048575, 9}}));
    }
  }
}

std::string random_rows(int left_out, std::mt19937_64 random) {
  std::string csv = "id,x,big,w\n";
  for (int i = 0; i < 80; ++i) {
    const int unit = static_cast<int>(random() % 15), x = static_cast<int>(random() % 9),
              w = static_cast<int>(random() % 50);
    if (unit == left_out) continue;
    csv.append(std::to_string(unit)).append(",").append(std::to_string(x)).append(",,");
    csv.append(w == 0 ? "" : std::to_string(w / 4.0)).append("\n");
  }
  return csv;
}

// The greatest D that moves, over all points and before them.
std::int64_t moved(const Histogram& with, const Histogram& without, std::int64_t a, std::int64_t b) {
  std::map<std::int64_t, std::int64_t> change;
  std::int64_t all = 0, up_to = 0;
  for (const Occupied& one : with) change[one.point] += one.rows, all += one.rows;
  for (const Occupied& one : without) change[one.point] -= one.rows, all -= one.rows;
  std::int64_t most = std::abs(a * all);
  for (const auto& [point, weight] : change) most = std::max(most, std::abs(b * (up_to += weight) - a * all));
  return most;
}

// Of a unit with many rows one counts, with its own weight; whoever leaves moves no rank by more than is charged.
TEST(DuckDbWeightedRanks, OfAUnitThatLeavesMoveByWhatIsCharged) {
  const DataFolder folder;
  const auto statistic = statistic_of("SELECT QUANTILE(x, 0.75) AS m FROM t", "covers = \"population\"", by_unit);
  std::int64_t most = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto histogram = [&](int left_out) {
      folder.write("t.csv", random_rows(left_out, std::mt19937_64(seed)));
      const auto session = session_of(folder.catalog(by_unit));
      return histogram_of(*session, statistic, BoundingForm::bottom_m);
    };
    const Histogram all = histogram(-1);
    for (int unit = 0; unit < 15; ++unit) most = std::max(most, moved(all, histogram(unit), 3 * 2, 4 * 2));
  }
  EXPECT_LE(most, statistic.measurements.front().sensitivity.shift);
  EXPECT_GT(5 * most, 4 * statistic.measurements.front().sensitivity.shift);
  EXPECT_EQ(statistic.measurements.front().sensitivity.shift, 3 * 40 * 2);
}

TEST(DuckDbWeightedRanks, AreTheSameInBothForms) {
  const DataFolder folder;
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    folder.write("t.csv", random_rows(-1, std::mt19937_64(seed)));
    const auto session = session_of(folder.catalog(by_unit));
    const auto statistic = median_of("x", by_unit);
    const Histogram fast = histogram_of(*session, statistic, BoundingForm::bottom_m);
    EXPECT_EQ(fast, histogram_of(*session, statistic, BoundingForm::window));
    std::int64_t weight = 0;
    for (const Occupied& one : fast) weight += one.rows;
    EXPECT_GT(weight, 0);
    EXPECT_LE(weight, 15 * 40);  // one row of each unit
  }
}

}  // namespace
}  // namespace vernier::engine
