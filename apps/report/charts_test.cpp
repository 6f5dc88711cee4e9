#include "report/charts.hpp"

#include <gtest/gtest.h>

#include "support/release_plans.hpp"

namespace vernier::report {
namespace {

using plan::BoundStatistic;
using plot::EstimateChart;
using plot::EstimateForm;
using query::Type;
using query::Value;
using testing::column_of;

release::Number number(double value) {
  return {.value = value,
          .accuracy = 5,
          .interval = {value - 5, value + 5},
          .is_whole = true,
          .coverage = interval::Status::proven,
          .covers = interval::Covers::bounded_value};
}

// SELECT keys..., COUNT(*) AS n with these keys, in rows of any values.
struct Made {
  BoundStatistic statistic;
  release::Table table;
};
Made made(const std::vector<std::vector<Value>>& rows) {
  Made result{test::bound_statistic("by key", {{"n"}}), {}};
  for (std::size_t i = 0; i < rows.front().size(); ++i) {
    const std::string name = std::string("key").append(std::to_string(i));
    const query::Column column = column_of(name, query::type_of(rows.front()[i]));
    result.statistic.table.columns.push_back(column);
    result.statistic.query.keys.push_back({query::column(column), name});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) result.table.rows.push_back({rows[i], {number(100.0 + double(i))}});
  return result;
}

EstimateChart chart_of(const Made& made) {
  const std::vector<EstimateChart> charts = charts_of(made.statistic, made.table, "95 %");
  EXPECT_EQ(charts.size(), 1U);
  return charts.front();
}

Value whole(int value) { return std::int64_t{value}; }

TEST(Charts, OfTextsAreRowsInTheOrderOfTheTable) {
  const EstimateChart chart = chart_of(made({{Value("west")}, {Value("east")}}));
  EXPECT_EQ(chart.form, EstimateForm::rows);
  EXPECT_EQ(chart.keys, (std::vector<std::string>{"west", "east"}));
  EXPECT_EQ(chart.panels[0].estimates[1]->value, 101);
  EXPECT_EQ(chart.panels[0].estimates[1]->text, "101 ± 5");
}

TEST(Charts, OfNumbersAndDaysAreCurvesInTheirOwnOrder) {
  const EstimateChart numbers = chart_of(made({{whole(30)}, {whole(10)}, {whole(20)}}));
  EXPECT_EQ(numbers.form, EstimateForm::curve);
  EXPECT_EQ(numbers.keys, (std::vector<std::string>{"10", "20", "30"}));
  EXPECT_EQ(numbers.panels[0].estimates[0]->value, 101);  // the second row
  const EstimateChart days = chart_of(made({{Value(query::Day{3})}, {Value(query::Day{4})}, {Value(query::Day{9})}}));
  EXPECT_EQ(days.form, EstimateForm::curve);
  EXPECT_EQ(days.places, (std::vector<double>{3, 4, 9}));
  EXPECT_EQ(days.keys[2], "1970-01-10");
}

TEST(Charts, OfNumbersWithLabelsAreRowsWithTheLabels) {
  Made codes = made({{whole(1)}, {whole(2)}, {whole(3)}});
  codes.statistic.table.columns[0].labels = {{whole(2), "two"}};
  const EstimateChart chart = chart_of(codes);
  EXPECT_EQ(chart.form, EstimateForm::rows);
  EXPECT_EQ(chart.keys, (std::vector<std::string>{"1", "2 two", "3"}));
}

TEST(Charts, OfTwoKeysAreSmallMultiplesWithAGapWhereNothingWasPublished) {
  const EstimateChart chart = chart_of(
      made({{Value("a"), Value("x")}, {Value("a"), Value("y")}, {Value("b"), Value("x")}, {Value("c"), Value("y")}}));
  EXPECT_EQ(chart.form, EstimateForm::rows);
  ASSERT_EQ(chart.panels.size(), 2U);  // by the key that has fewer values
  EXPECT_EQ(chart.panels[1].title, "key1: y");
  EXPECT_EQ(chart.keys, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_FALSE(chart.panels[0].estimates[2].has_value());
  EXPECT_EQ(chart.panels[1].estimates[2]->value, 103);
}

TEST(Charts, OfATextAndANumberAreCurvesInPanels) {
  std::vector<std::vector<Value>> rows;
  for (int i = 0; i < 4; ++i) {
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) rows.push_back({whole(i), Value(name)});
  }
  const EstimateChart chart = chart_of(made(rows));
  EXPECT_EQ(chart.form, EstimateForm::curve);
  EXPECT_EQ(chart.panels.size(), 6U);
  EXPECT_EQ(chart.key_title, "key0");
}

TEST(Charts, OfManyTextsOrManyPairsAreStripsWithRoundNumbers) {
  std::vector<std::vector<Value>> one, two;
  for (int i = 0; i < 1000; ++i) {
    one.push_back({Value(std::to_string(i))});
    two.push_back({Value(std::to_string(i % 50)), Value(std::to_string(i / 50))});
  }
  for (const auto& rows : {one, two}) {
    const EstimateChart chart = chart_of(made(rows));
    EXPECT_EQ(chart.form, EstimateForm::strip);
    EXPECT_EQ(chart.keys.size(), 1000U);
    EXPECT_EQ(chart.keys[199], "200");
    EXPECT_EQ(chart.keys[200], "");
  }
}

TEST(Charts, OfManyNumbersNameTheRoundOnes) {
  std::vector<std::vector<Value>> rows;
  for (int i = 1; i <= 1000; ++i) rows.push_back({whole(i)});
  const EstimateChart chart = chart_of(made(rows));
  EXPECT_EQ(chart.form, EstimateForm::curve);
  EXPECT_EQ(chart.keys[199], "200");
  EXPECT_EQ(chart.keys[0], "");
}

TEST(Charts, OfNoKeyAreOneRowAndOfThreeKeysHaveAllInOneName) {
  const EstimateChart single = chart_of(made({{}}));
  EXPECT_EQ(single.keys, std::vector<std::string>{"n"});
  const EstimateChart triple = chart_of(made({{Value("a"), Value(true), whole(3)}}));
  EXPECT_EQ(triple.keys, std::vector<std::string>{"a · true · 3"});
}

TEST(Charts, AreNoneWhereNothingWasPublished) {
  Made nothing = made({{Value("a")}});
  nothing.table.rows.clear();
  EXPECT_TRUE(charts_of(nothing.statistic, nothing.table, "95 %").empty());
}

}  // namespace
}  // namespace vernier::report
