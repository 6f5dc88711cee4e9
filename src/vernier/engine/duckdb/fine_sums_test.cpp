#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"

// Sums of values between steps, and of parts of units, in every form against a sum in 128 bits.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using plan::Int128;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

struct Visit {
  int unit;
  double value;
};
using Visits = std::vector<Visit>;

std::string table_of(const std::string& unit, const std::string& bounds) {
  return "[tables.t]\nsource = \"t.csv\"\nunit = \"" + unit +
         "\"\n[tables.t.columns]\nid = { type = \"integer\" }\nx = { type = \"real\", " + bounds + " }\n";
}

// A third of them on one value, so that rounding has a direction.
Visits random_visits(std::mt19937_64& random, double lower, double upper, int units, int rows) {
  std::uniform_real_distribution<double> within(lower, upper);
  Visits visits;
  const double often = within(random);
  for (int i = 0; i < rows; ++i) {
    const int unit = i % 4 == 0 ? 0 : static_cast<int>(random() % static_cast<unsigned>(units));
    visits.push_back({unit, i % 3 == 0 ? often : within(random)});
  }
  return visits;
}

std::string csv_of(const Visits& visits, int without = -1) {
  std::string csv = "id,x\n";
  for (const Visit& one : visits) {
    if (one.unit != without) csv += std::to_string(one.unit) + "," + shortest(one.value) + "\n";
  }
  return csv;
}

// By the words of rounding.md.
std::int64_t expected(const plan::BoundStatistic& statistic, const Visits& visits, int without = -1) {
  const plan::Tally& tally = statistic.tallies[statistic.measurements[0].tallies.back()];
  const plan::Argument& x = statistic.arguments[tally.argument];
  const int halvings = plan::halvings_of(statistic, tally.argument);
  const plan::Argument fine = plan::finer(x, halvings);
  std::map<int, std::pair<Int128, Int128>> of;  // of each unit
  int row = 0;
  for (const Visit& one : visits) {
    if (one.unit == without) continue;
    auto& [count, sum] = of[statistic.table.unit ? one.unit : row++];
    ++count, sum += static_cast<std::int64_t>(std::floor(one.value / fine.granularity + 0.5)) - fine.origin;
  }
  const Int128 most = statistic.contribution.max_rows, parts = Int128{1} << halvings;
  Int128 total = parts / 2;
  for (const auto& [unit, has] : of) total += has.first <= most ? has.second : has.second * most / has.first;
  return static_cast<std::int64_t>(total >= 0 ? total / parts : -((parts - 1 - total) / parts));
}

// What the engine brings, in each of the forms.
std::vector<std::int64_t> brought(const plan::BoundStatistic& statistic, const std::vector<BoundingForm>& forms,
                                  const std::string& table, const std::string& csv) {
  const DataFolder folder;
  folder.write("t.csv", csv);
  const auto session = session_of(folder.catalog(table));
  std::vector<std::int64_t> sums;
  for (const BoundingForm form : forms) {
    const auto groups = groups_of(*session, plan::render(statistic, form));
    sums.push_back(groups.front().tallies[statistic.measurements[0].tallies.back()]);
  }
  return sums;
}

const std::vector<std::string> columns = {"SUM(x) AS s", "SUM(x) AS s, AVG(x) AS m"};
constexpr double bounds[][2] = {{0, 1048576}, {-1000, 500}, {0, 1}, {-3, -1}};

std::string written(const double (&ends)[2]) {
  return "lower = " + shortest(ends[0]) + ", upper = " + shortest(ends[1]);
}

TEST(DuckDbFineSums, AreThoseOfFineStepsInEveryForm) {
  std::mt19937_64 random(23);
  for (const auto& ends : bounds) {
    const Visits visits = random_visits(random, ends[0], ends[1], 9, 200);
    for (const std::string& asked : columns) {
      for (const int rows : {1, 3}) {
        const std::string table = table_of("id", written(ends));
        const auto of_units = statistic_of("SELECT " + asked + " FROM t", "max_rows = " + std::to_string(rows), table);
        EXPECT_GE(plan::halvings_of(of_units, of_units.tallies[of_units.measurements[0].tallies.back()].argument), 24);
        const auto sums = brought(of_units, {BoundingForm::window, BoundingForm::bottom_m, BoundingForm::portable},
                                  table, csv_of(visits));
        EXPECT_EQ(sums, std::vector(3, expected(of_units, visits))) << asked;
      }
      const std::string table = table_of("row", written(ends));
      const auto of_rows = statistic_of("SELECT " + asked + " FROM t", "", table);
      const auto sums =
          brought(of_rows, {BoundingForm::rows, BoundingForm::window, BoundingForm::portable}, table, csv_of(visits));
      EXPECT_EQ(sums, std::vector(3, expected(of_rows, visits))) << asked;
    }
  }
}

// In many groups, whose units are cut down by the one-pass form.
TEST(DuckDbFineSums, AreTheSameInGroups) {
  const std::string table =
      "[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\n[tables.t.columns]\nid = { type = \"integer\" }\n"
      "g = { type = \"string\", keys = [\"a\", \"b\", \"c\"] }\nx = { type = \"real\", lower = -7, upper = 3 }\n";
  const DataFolder folder;
  std::mt19937_64 random(5);
  std::string csv = "id,g,x\n";
  for (const Visit& one : random_visits(random, -8, 4, 12, 400)) {
    csv += std::to_string(one.unit) + "," + std::string(1, static_cast<char>('a' + random() % 3)) + "," +
           shortest(one.value) + "\n";
  }
  folder.write("t.csv", csv);
  const auto session = session_of(folder.catalog(table));
  const auto statistic =
      statistic_of("SELECT g, SUM(x) AS s, COUNT(x) AS n FROM t GROUP BY g", "max_groups = 3\nmax_rows = 2", table);
  const auto window = groups_of(*session, plan::render(statistic, BoundingForm::window));
  const auto one_pass = groups_of(*session, plan::render(statistic, BoundingForm::bottom_m));
  ASSERT_EQ(window.size(), 3U);
  ASSERT_EQ(one_pass.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(window[i].tallies, one_pass[i].tallies);
}

// Whatever stands in the other rows: the rounding at the end moves with the sum. In a rounding toward zero, or half
// away from it, one unit could move the sum a step too far.
TEST(DuckDbFineSums, MoveByNoMoreThanAUnitMay) {
  std::mt19937_64 random(7);
  const std::string table = table_of("id", written(bounds[1]));
  const auto statistic = statistic_of("SELECT SUM(x) AS s FROM t", "max_rows = 2", table);
  const plan::Steps steps = statistic.arguments[statistic.tallies[0].argument].steps;
  for (int i = 0; i < 2; ++i) {
    Visits visits = random_visits(random, bounds[1][0], bounds[1][1], 6, 60);
    for (Visit& one : visits) {
      if (one.unit == 0) one.value = bounds[1][0];  // a unit that moves it as far as it may
    }
    const std::vector form{BoundingForm::bottom_m};
    const std::int64_t all = brought(statistic, form, table, csv_of(visits)).front();
    for (int unit = 0; unit < 3; ++unit) {
      const std::int64_t moved = all - brought(statistic, form, table, csv_of(visits, unit)).front();
      EXPECT_GE(moved, 2 * steps.lower);
      EXPECT_LE(moved, 2 * steps.upper);
      if (unit == 0) {
        EXPECT_EQ(moved, 2 * steps.lower);
      }
    }
  }
}

// The sum of the values lies within what is told of all rows.
TEST(DuckDbFineSums, AreAsNearAsIsSaid) {
  std::mt19937_64 random(11);
  for (const auto& ends : bounds) {
    const std::string table = table_of("row", written(ends));
    const auto statistic = statistic_of("SELECT SUM(x) AS s FROM t", "", table);
    const Visits visits = random_visits(random, ends[0], ends[1], 3, 3000);
    long double exact = 0;
    for (const Visit& one : visits) exact += static_cast<long double>(one.value);
    const plan::Measurement& one = statistic.measurements[0];
    const long double found = static_cast<long double>(expected(statistic, visits)) * one.granularity;
    // Half a step of the noise, and half a fine one for each row.
    EXPECT_LE(std::abs(static_cast<double>(exact - found)), one.granularity * (0.5 + 3000 * 0x1p-24));
    EXPECT_LT(plan::sum_rounding(plan::measured_at(statistic, 0)),
              2e-5 * std::max(std::abs(ends[0]), std::abs(ends[1])));
  }
}

}  // namespace
}  // namespace vernier::engine
