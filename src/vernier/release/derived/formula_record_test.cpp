#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/derived_releases.hpp"
#include "vernier/release/verify/verify.hpp"

// What statements make of statistics, and which rows they choose, is in the record, and cannot be changed there.
namespace vernier::release {
namespace {

using plan::BoundStatistic;
using query::Formula;
using query::FormulaOperation;
using query::KeyOrder;
using query::Output;
using testing::Json;
using testing::problem_of;

constexpr auto column = FormulaOperation::column;

// SELECT region, COUNT(*) AS n, 100 * SUM(debt) / COUNT(*) AS ratio ... HAVING COUNT(*) > 101
// ORDER BY ratio DESC LIMIT 3
BoundStatistic chosen() {
  BoundStatistic made = testing::of_many_regions(6, query::Denoise::none);
  const Formula ratio{"ratio",
                      {{FormulaOperation::number, 100},
                       {column, 0, 1},
                       {FormulaOperation::multiply},
                       {column, 0, 0},
                       {FormulaOperation::divide}}};
  made.query.formulas = {ratio};
  made.query.outputs = {{true, 0}, {false, 0}, {false, 0, true}};
  made.query.having = Formula{"", {{column, 0, 0}, {FormulaOperation::number, 101}, {FormulaOperation::greater}}};
  made.query.order = {KeyOrder{0, true, Output{false, 0, true}}};
  made.query.limit = 3;
  made.inference.is_simultaneous = true;
  return made;
}

// The same without a choice, so that parts are taken at other levels than they are published at.
BoundStatistic plain() {
  BoundStatistic made = chosen();
  made.query.having.reset();
  made.query.order.clear();
  made.query.limit.reset();
  made.inference.is_simultaneous = false;
  return made;
}

Json record_of(const BoundStatistic& statistic) {
  return Json::parse(testing::record_of(testing::released({statistic}, {}, testing::even_groups)));
}

TEST(FormulaRecord, Holds) {
  EXPECT_EQ(problem_of(record_of(chosen())), "");
  EXPECT_EQ(problem_of(record_of(plain())), "");
}

TEST(FormulaRecord, ShowsFormulasAsColumns) {
  const Json statistic = record_of(chosen())["statistics"][0];
  EXPECT_EQ(statistic["rows"].size() + statistic["omitted"].size(), 6U);
  for (const char* const figure : {"value", "accuracy", "interval", "confidence", "covers", "coverage"}) {
    EXPECT_TRUE(statistic["rows"][0]["ratio"].contains(figure)) << figure;
  }
  EXPECT_FALSE(statistic["rows"][0].contains("debt"));  // a part alone
  EXPECT_EQ(statistic["derived"][0]["expression"], "((100 * debt) / n)");
}

TEST(FormulaRecord, RefusesEveryChange) {
  int refused = 0;
  for (const BoundStatistic& statistic : {chosen(), plain()}) {
    refused += testing::expect_changes_refused(record_of(statistic),
                                               {.parts = {"/ratio", "/derived", "/selection", "/omitted"}, .but = {}});
  }
  EXPECT_GT(refused, 50);
}

TEST(FormulaRecord, RefusesRowsThatWereNotChosen) {
  Json record = record_of(chosen());
  std::swap(record["statistics"][0]["rows"][0], record["statistics"][0]["rows"][1]);
  EXPECT_NE(problem_of(record), "");
  Json naive = record_of(chosen());
  naive["certificate"]["statistics"][0].erase("inference");
  EXPECT_NE(problem_of(naive), "");
}

}  // namespace
}  // namespace vernier::release
