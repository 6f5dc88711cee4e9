#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"

// The squares that an engine adds up for moments are those of the page interval/rows/variance.md, by every way there.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

const std::string table =
    "[tables.t]\nsource = \"t.csv\"\nunit = \"id\"\nrow_limit = 1000\n[tables.t.columns]\nid = { type = \"integer\" }\n"
    "x = { type = \"real\", lower = -2.5, upper = 10, granularity = 0.5 }\n"  // 25 steps: exact squares
    "y = { type = \"real\", lower = 0, upper = 200000, granularity = 1 }\n"   // rounded ones
    "n = { type = \"integer\", lower = 3, upper = 9 }\n"
    "w = { type = \"integer\", lower = 0, upper = 4503599627370495 }\n";  // whose squares need more than 64 bits

// Each row is a unit; the last has no values.
const std::string rows =
    "id,x,y,n,w\n1,-2.5,0,3,0\n2,10,200000,9,4503599627370495\n3,4.2,77777.7,5,3000000000000001\n"
    "4,-99,1e300,-4,9223372036854775807\n5,0.74,123456,7,12345\n6,nan,nan,,\n";

struct Case {
  std::string argument;
  std::vector<std::int64_t> steps;  // of the rows, by hand
};
const std::vector<Case> cases = {{"x", {0, 25, 13, 0, 6}},
                                 {"CLAMP(x * 1, -2.5, 10)", {}},
                                 {"y", {0, 200000, 77778, 200000, 123456}},
                                 {"n", {0, 6, 2, 0, 4}},
                                 {"w", {0, 4503599627370495, 3000000000000001, 4503599627370495, 12345}}};

std::vector<std::int64_t> expected(const Case& one, const plan::Measurement& moments) {
  const auto nodes = interval::MeanNodes::moments(moments.steps, moments.fineness).value();
  std::vector<std::int64_t> tallies{static_cast<std::int64_t>(one.steps.size()), 0, 0};
  for (const std::int64_t k : one.steps) {
    tallies[1] += nodes.row(k)[0];
    tallies[2] += nodes.row(k)[2];
  }
  return tallies;
}

TEST(DuckDbMoments, AddUpTheSquaresOfThePage) {
  const DataFolder folder;
  folder.write("t.csv", rows);
  const auto session = session_of(folder.catalog(table));
  for (const Case& one : cases) {
    const auto statistic = statistic_of("SELECT VAR_POP(" + one.argument + ") AS v FROM t", "", table);
    const auto tallies = [&](BoundingForm form) {
      return groups_of(*session, plan::render(statistic, form), {1, 2}).front().tallies;
    };
    const plan::Measurement& moments = statistic.measurements.front();
    EXPECT_EQ(moments.tallies, (std::vector<std::size_t>{0, 1, 2}));
    if (!one.steps.empty()) {
      EXPECT_EQ(tallies(BoundingForm::bottom_m), expected(one, moments)) << one.argument;
    }
    EXPECT_EQ(tallies(BoundingForm::window), tallies(BoundingForm::bottom_m)) << one.argument;
    const plan::Argument::Square& square = *statistic.arguments.front().square;
    EXPECT_EQ(square.fineness % square.steps == 0, one.argument[0] == 'x' || one.argument[0] == 'n') << one.argument;
  }
}

// Of a unit with more rows than count, each sum is scaled and truncated by itself: no node falls below 0.
TEST(DuckDbMoments, ScaleAUnitWithManyRows) {
  const DataFolder folder;
  folder.write("t.csv", "id,x,y,n,w\n1,,,3,\n1,,,9,\n1,,,5,\n1,,,6,\n1,,,8,\n");
  const auto session = session_of(folder.catalog(table));
  const auto statistic = statistic_of("SELECT VAR_POP(n) AS v FROM t", "max_rows = 2", table);
  const plan::Measurement& moments = statistic.measurements.front();
  const auto all = expected({"n", {0, 6, 2, 3, 5}}, moments);
  for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
    const auto found = groups_of(*session, plan::render(statistic, form), {1, 2}).front().tallies;
    EXPECT_EQ(found, (std::vector<std::int64_t>{2, 2 * all[1] / 5, 2 * all[2] / 5}));
    EXPECT_GE(2 * moments.steps * moments.fineness - found[1] - found[2], 0);
  }
}

}  // namespace
}  // namespace vernier::engine
