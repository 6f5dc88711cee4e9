#include <gtest/gtest.h>

#include "vernier/study/documents.hpp"

namespace vernier::study {
namespace {

using query::Aggregate;

release::Number number(double value, double low, double high, bool is_whole) {
  return {value, high - value, {low, high}, is_whole, interval::Status::proven, interval::Covers::bounded_value};
}

query::Query example(const std::string& second_name) {
  const query::Expression region = query::literal(std::string("north"));
  return {"people",
          {},
          {{region, "region"}},
          {{Aggregate::count_rows, {}, "people"}, {Aggregate::average, region, second_name}},
          {{true, 0}, {false, 1}, {false, 0}},
          {}};
}

TEST(ReleaseCsv, HasTheColumnsInTheOrderOfTheStatementWithTheirIntervals) {
  const release::Table table{
      {{{std::string("north")}, {number(50123, 50111, 50135, true), number(0.5, 0.25, 1, false)}},
       {{std::string("a \"b\", c")}, {number(-3, -4, 9007199254740992, true), number(1e-7, 0, 2, false)}}}};
  EXPECT_EQ(release_csv(example("income"), table),
            "region,income,income_low,income_high,people,people_low,people_high\n"
            "north,0.5,0.25,1,50123,50111,50135\n"
            "\"a \"\"b\"\", c\",1e-07,0,2,-3,-4,9007199254740992\n");
}

TEST(ReleaseCsv, HasWhatWasMadeOfANumberBehindIt) {
  release::Table table{{{{std::string("north")}, {number(50, 40, 60, true), number(0.5, 0.25, 1, false)}}}};
  table.denoised = {{0, "raw", 1, interval::Status::proven}, {1, "least-squares", 0.5, interval::Status::proven}};
  table.rows[0].numbers[0].denoised = 48;
  table.rows[0].numbers[1].denoised = 0.625;
  table.rows[0].numbers[1].denoised_interval = interval::Interval{0.5, 0.75};
  EXPECT_EQ(release_csv(example("income"), table),
            "region,income,income_low,income_high,income_denoised,income_denoised_low,income_denoised_high,people,"
            "people_low,people_high,people_denoised\n"
            "north,0.5,0.25,1,0.625,0.5,0.75,50,40,60,48\n");
}

TEST(ReleaseCsv, HasDifferencesBehindTheirGroups) {
  release::Table table;
  table.differences = {{{"north", "=south"}, {number(-7, -9, -5, true), number(0.5, 0.25, 1, false)}}};
  EXPECT_EQ(differences_csv(example("income"), table),
            "first,second,people,people_low,people_high,income,income_low,income_high\n"
            "north,'=south,-7,-9,-5,0.5,0.25,1\n");
}

TEST(ReleaseCsv, HasNoHeadingTwice) {
  EXPECT_EQ(release_csv(example("people_low"), {}),
            "region,people_low,people_low_low,people_low_high,people,people_low_,people_high\n");
}

TEST(ReleaseCsv, IsNoFormulaForASpreadsheet) {
  for (const std::string text : {"=1+1", "+1", "-1", "@a", "\ta", "\ra"})
    EXPECT_NE(csv_text(text).find('\''), std::string::npos);
  EXPECT_EQ(csv_text("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
  EXPECT_EQ(csv_text("a=1"), "a=1");
  EXPECT_EQ(csv_text("a\x1b[2J\u009b\u202e"), "a\\x1b[2J\\u{9b}\\u{202e}");
  EXPECT_EQ(csv_text("a\nb"), "\"a\nb\"");
}

}  // namespace
}  // namespace vernier::study
