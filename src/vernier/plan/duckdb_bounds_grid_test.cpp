#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/bounds_grid.hpp"

namespace vernier::plan {
namespace {

using query::Value;

// A catalog of one table with one column `x`, declared so.
query::Catalog catalog_with(const std::string& declared) {
  return testing::catalog_of(testing::catalog_head +
                             "[tables.t]\nsource = \"t.csv\"\nunit = \"row\"\n[tables.t.columns]\nx = " + declared +
                             "\n");
}

const query::Column column_of(const std::string& declared) { return catalog_with(declared).tables[0].columns[0]; }

std::string edges_text(const std::string& declared) {
  const BoundsGrid grid = bounds_grid(column_of(declared)).value();
  std::string text;
  for (const Bucket& bucket : grid.buckets) text.append(" ").append(query::text_of(bucket.upper));
  return text.substr(1);
}

const std::vector<std::string> declarations = {
    "{ type = \"integer\" }",
    "{ type = \"integer\", lower = 0, upper = 100000 }",
    "{ type = \"integer\", lower = -7, upper = -2 }",
    "{ type = \"integer\", lower = 1000, upper = 5000 }",
    "{ type = \"integer\", lower = 9007199254740892, upper = 9007199254740992 }",
    "{ type = \"real\" }",
    "{ type = \"real\", granularity = 1 }",
    "{ type = \"real\", granularity = 16 }",
    "{ type = \"real\", granularity = 1267650600228229401496703205376.0 }",
    "{ type = \"real\", granularity = 8.673617379884035472059622406959533691406250e-19 }",
    "{ type = \"real\", lower = 0, upper = 1000000000000, granularity = 4096 }",
    "{ type = \"real\", lower = -0.25, upper = 1 }",
    "{ type = \"real\", lower = 0, upper = 1000000 }",
    "{ type = \"real\", lower = -40, upper = -30, granularity = 0.5 }",
    "{ type = \"date\" }",
    "{ type = \"date\", lower = 0001-01-01, upper = 9999-12-31 }",
    "{ type = \"date\", lower = 2020-03-05, upper = 2020-03-06 }",
    "{ type = \"date\", lower = 1990-02-03, upper = 2026-05-06 }"};

// The first and the last bucket hold what lies outside.
TEST(BoundsGrid, HasNumbersThatPeopleWrite) {
  EXPECT_EQ(edges_text("{ type = \"integer\", lower = -3, upper = 100 }"),
            "-3 -3 -2 -1 0 1 2 5 10 15 20 25 30 35 40 45 50 55 60 65 70 75 80 85 90 95 100 100");
  EXPECT_EQ(
      edges_text("{ type = \"real\", lower = 2, upper = 3 }"),
      "2 2.03125 2.0625 2.09375 2.125 2.15625 2.1875 2.21875 2.25 2.28125 2.3125 2.34375 2.375 2.40625 2.4375 2.46875 "
      "2.5 2.53125 2.5625 2.59375 2.625 2.65625 2.6875 2.71875 2.75 2.78125 2.8125 2.84375 2.875 2.90625 2.9375 "
      "2.96875 3 3");
}

TEST(BoundsGrid, WithoutBoundsReachesWhereBoundsMayBe) {
  const BoundsGrid integers = bounds_grid(column_of("{ type = \"integer\" }")).value();
  EXPECT_EQ(integers.buckets.size(), 99U);
  EXPECT_EQ(integers.buckets[integers.last_end].upper, Value(std::int64_t{5'000'000'000'000'000}));
  EXPECT_EQ(integers.buckets[integers.first_end].lower, Value(std::int64_t{-5'000'000'000'000'000}));
  const BoundsGrid reals = bounds_grid(column_of("{ type = \"real\" }")).value();
  EXPECT_EQ(reals.buckets[reals.last_end].upper, Value(1e12));
  EXPECT_LE(reals.buckets.size(), 128U);
}

TEST(BoundsGrid, OfDatesEndsOnTheLastDayOfAYear) {
  const BoundsGrid grid = bounds_grid(column_of("{ type = \"date\" }")).value();
  EXPECT_EQ(query::text_of(grid.buckets.front().lower), "0001-01-01");
  EXPECT_EQ(query::text_of(grid.buckets.back().upper), "9999-12-31");
  EXPECT_EQ(query::text_of(grid.buckets[grid.buckets.size() - 2].upper), "8999-12-31");
  EXPECT_EQ(query::text_of(grid.buckets[6].lower), "1900-01-01");
  EXPECT_EQ(query::text_of(grid.buckets[6].upper), "1904-12-31");
}

TEST(BoundsGrid, KeepsItsBucketsInOrderAndFew) {
  for (const std::string& declared : declarations) {
    const BoundsGrid grid = bounds_grid(column_of(declared)).value();
    ASSERT_GE(grid.buckets.size(), 2U) << declared;
    EXPECT_LE(grid.buckets.size(), 200U) << declared;
    for (std::size_t i = 0; i < grid.buckets.size(); ++i) {
      EXPECT_FALSE(grid.buckets[i].upper < grid.buckets[i].lower) << declared << " " << i;
      EXPECT_FALSE(i > 0 && grid.buckets[i].lower < grid.buckets[i - 1].upper) << declared << " " << i;
      EXPECT_EQ(grid.buckets[i].condition.empty(), i + 1 == grid.buckets.size());
    }
  }
}

TEST(BoundsGrid, GivesBoundsThatACatalogTakes) {
  for (const std::string& declared : declarations) {
    const query::Column column = column_of(declared);
    const BoundsGrid grid = bounds_grid(column).value();
    for (std::size_t first = grid.first_end; first <= grid.last_end; first += 3) {
      for (std::size_t last = first; last <= grid.last_end; last += 5) {
        const query::Range range = range_of(grid, rounded_outward(grid, {first, last}));
        EXPECT_LT(range.lower, range.upper);
        const query::Column found = column_of(declaration(column, range));
        EXPECT_EQ(found.range->lower, range.lower);
        EXPECT_EQ(found.range->upper, range.upper);
      }
    }
    if (column.range) {
      EXPECT_EQ(range_of(grid, {0, grid.last_end}).lower, column.range->lower) << declared;
      EXPECT_EQ(range_of(grid, {0, grid.last_end}).upper, column.range->upper) << declared;
    }
  }
}

TEST(BoundsGrid, IsRoundedOutwardToBoundsThatMakeSense) {
  const BoundsGrid grid = bounds_grid(column_of("{ type = \"integer\" }")).value();
  const auto text = [&](std::size_t first, std::size_t last) {
    const query::Range range = range_of(grid, rounded_outward(grid, {first, last}));
    return query::text_of(range.lower) + " to " + query::text_of(range.upper);
  };
  EXPECT_EQ(grid.buckets[49].upper, Value(std::int64_t{0}));
  EXPECT_EQ(text(49, 49), "0 to 1");
  EXPECT_EQ(text(50, 54), "0 to 20");  // 0 is near, for its size
  EXPECT_EQ(text(50, 53), "0 to 10");
  EXPECT_EQ(text(50, 52), "1 to 5");
  EXPECT_EQ(text(56, 57), "50 to 200");
  EXPECT_EQ(text(42, 48), "-100 to 0");
  EXPECT_EQ(text(0, 0), "-5000000000000000 to -2000000000000000");
  EXPECT_EQ(text(98, 98), "2000000000000000 to 5000000000000000");
}

TEST(BoundsGrid, IsDeclaredInAsFewWordsAsTheCatalogNeeds) {
  const query::Column real = column_of("{ type = \"real\" }");
  EXPECT_EQ(declaration(real, {0.0, 200000.0}), "{ type = \"real\", lower = 0, upper = 200000 }");
  EXPECT_EQ(declaration(real, {0.0, 5e11}), "{ type = \"real\", lower = 0, upper = 500000000000, granularity = 2048 }");
  EXPECT_EQ(declaration(column_of("{ type = \"real\", granularity = 4 }"), {-8.0, 100.0}),
            "{ type = \"real\", lower = -8, upper = 100, granularity = 4 }");
  EXPECT_EQ(
      declaration(column_of("{ type = \"date\" }"), {*query::read_day("1900-01-01"), *query::read_day("2029-12-31")}),
      "{ type = \"date\", lower = 1900-01-01, upper = 2029-12-31 }");
}

TEST(BoundsGrid, IsCountedByAStatementWithOnePublicGroupForEachBucket) {
  for (const std::string& declared : declarations) {
    const query::Catalog catalog = catalog_with(declared);
    const query::Table& table = catalog.tables[0];
    const BoundsGrid grid = bounds_grid(table.columns[0]).value();
    const Result<query::Query> query = query::read_query(bounds_statement(table, table.columns[0], grid), catalog);
    ASSERT_TRUE(query) << declared << ": " << query.error().sentence();
    const Keys keys = keys_of(*query, table).value();
    EXPECT_TRUE(keys.are_public);
    ASSERT_EQ(keys.cells.size(), grid.buckets.size());
    for (std::size_t i = 0; i < keys.cells.size(); ++i) {
      EXPECT_EQ(keys.cells[i], std::vector<Value>{Value(static_cast<std::int64_t>(i))});
    }
  }
}

TEST(BoundsGrid, IsRefusedToTextAndTruth) {
  EXPECT_EQ(bounds_grid(column_of("{ type = \"string\" }")).error().sentence(),
            "the column 'x' is of type string, which has no bounds; only integers, reals and dates have");
  EXPECT_FALSE(bounds_grid(column_of("{ type = \"boolean\" }")));
}

}  // namespace
}  // namespace vernier::plan
