#include <cmath>

#include <gtest/gtest.h>

#include "support/bound_studies.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;
using testing::Ask;
using testing::bound;
using testing::said;
using testing::statistic_of;

// Rows of a unit may be scaled down, so that sums have up to 2^26 steps for the rows that count.
TEST(Bind, MakesMeasurementsInTheOrderOfTheStatement) {
  const BoundStatistic x = statistic_of(
      "SELECT AVG(income) AS a, region, COUNT(*) AS n, SUM(debt) AS d, COUNT(city) AS c FROM people GROUP BY region",
      "max_groups = 2\nmax_rows = 3\nweight = 4\ntypical_rows = 77\naccuracy = { N = 5, a = 0.25 }");
  ASSERT_EQ(x.measurements.size(), 4U);
  const Measurement& mean = x.measurements[0];
  EXPECT_EQ(mean.kind, Mean::kind);
  EXPECT_EQ(mean.granularity, 0.5 / 32);
  EXPECT_FALSE(mean.is_rounded);  // the granularity is declared
  EXPECT_EQ(mean.origin, 0);
  EXPECT_EQ(mean.steps, 32 * 400000);
  EXPECT_EQ(mean.greatest, mean.steps * INT64_C(1000000));
  EXPECT_EQ(mean.sensitivity.shift, 3 * mean.steps);
  EXPECT_EQ(mean.target, Rational::of_decimal("0.25").value());
  const Measurement& rows = x.measurements[1];
  EXPECT_EQ(rows.kind, Count::kind);
  EXPECT_EQ(rows.sensitivity.shift, 3);
  EXPECT_EQ(rows.sensitivity.coordinates, 2);
  EXPECT_EQ(rows.target, Rational::of(5));
  EXPECT_EQ(rows.greatest, 1000000);
  const Measurement& sum = x.measurements[2];
  EXPECT_EQ(sum.kind, Sum::kind);
  EXPECT_EQ(sum.granularity, 0x1p-18);
  EXPECT_EQ(sum.sensitivity.shift, 150 << 18);
  EXPECT_EQ(sum.least, INT64_C(-50'000'000) * (1 << 18));
  EXPECT_EQ(sum.greatest, INT64_C(20'000'000) * (1 << 18));
  EXPECT_FALSE(sum.target);
  EXPECT_EQ(x.measurements[3].kind, Count::kind);
  EXPECT_FALSE(x.arguments[x.tallies[x.measurements[3].tallies[0]].argument].is_number);
  EXPECT_EQ(x.contribution.max_groups, 2);
  EXPECT_EQ(x.contribution.max_rows, 3);
  EXPECT_EQ(x.typical_rows, 77);
  EXPECT_EQ(x.weight, Rational::of(4));
}

TEST(Bind, CountsFromTheLowerBoundForMeansAlone) {
  const BoundStatistic x = statistic_of("SELECT AVG(debt) AS a, SUM(debt + 0) AS s FROM people");
  ASSERT_EQ(x.arguments.size(), 2U);
  EXPECT_EQ(x.arguments[0].granularity, 0x1p-20);
  EXPECT_EQ(x.arguments[0].origin, -50 * (1 << 20));
  EXPECT_EQ(x.arguments[0].steps.lower, 0);
  EXPECT_EQ(x.arguments[0].steps.upper, 70 << 20);
  EXPECT_EQ(x.arguments[1].origin, 0);
  EXPECT_EQ(x.arguments[1].steps.lower, -50 * (1 << 20));
  EXPECT_EQ(x.arguments[1].steps.upper, 20 << 20);
  EXPECT_EQ(x.measurements[0].least, 0);
}

TEST(Bind, AsksForEachNumberOnce) {
  const BoundStatistic x = statistic_of(
      "SELECT AVG(income) AS a, AVG(income) AS b, COUNT(city) AS c, COUNT(city) AS d, COUNT(*) AS e, COUNT(*) AS f "
      "FROM "
      "people");
  EXPECT_EQ(x.arguments.size(), 2U);
  EXPECT_EQ(x.tallies.size(), 4U);
  EXPECT_EQ(x.measurements.size(), 3U);  // the others are made of these
  EXPECT_EQ(x.query.formulas.size(), 3U);
}

// Of each measurement the one whose integers it shares, or itself.
std::vector<std::size_t> sources_of(const BoundStatistic& statistic) {
  std::vector<std::size_t> sources;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    sources.push_back(statistic.measurements[i].source.value_or(i));
  }
  return sources;
}

TEST(Bind, MeasuresMomentsOnceForAllThatNeedThem) {
  const BoundStatistic x = statistic_of(
      "SELECT COUNT(educ) AS n, AVG(educ) AS a, VARIANCE(educ) AS v, STDDEV_POP(educ) AS s, SUM(educ) AS t, "
      "VAR_POP(debt) AS d, SUM(income) AS i FROM people",
      "max_rows = 3");
  EXPECT_EQ(sources_of(x), (std::vector<std::size_t>{0, 0, 0, 0, 0, 5, 6}));
  const std::vector<Figure> figures = {Figure::count,
                                       Figure::mean,
                                       Moments::variance_sample,
                                       Moments::deviation_population,
                                       Figure::sum,
                                       Moments::variance_population};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Measurement& one = x.measurements[i];
    EXPECT_EQ(one.figure, figures[i]);
    EXPECT_EQ(one.kind, Moments::kind);
    EXPECT_EQ(one.width, one.source ? 0U : 3U);
    EXPECT_EQ(one.aggregation, i);
  }
  EXPECT_EQ(x.measurements[6].kind, Sum::kind);
  const Measurement& educ = x.measurements[0];
  EXPECT_EQ(educ.steps, 15);
  EXPECT_EQ(educ.origin, 1);
  EXPECT_EQ(educ.sensitivity.shift, 3 * educ.steps * educ.fineness);
  EXPECT_EQ(educ.sensitivity.l0, 3);
  EXPECT_EQ(educ.greatest, 1'000'000 * educ.steps * educ.fineness);
  EXPECT_EQ(x.arguments.size(), 5U);  // two squares of each, and income
}

TEST(Bind, SharesAMeanWithItsCountAndSum) {
  const BoundStatistic x = statistic_of(
      "SELECT SUM(debt) AS s, COUNT(debt) AS n, AVG(debt) AS a, AVG(debt) AS b, COUNT(educ) AS c, SUM(educ) AS e FROM "
      "people");
  EXPECT_EQ(sources_of(x), (std::vector<std::size_t>{0, 0, 0, 3, 4}));
  EXPECT_EQ(x.measurements[0].kind, Mean::kind);
  EXPECT_EQ(x.measurements[0].figure, Figure::sum);
  EXPECT_EQ(x.measurements[0].width, 2U);
}

// The rest of a target lies with the first column of those that share.
TEST(Bind, KeepsTheTargetsOfWhatIsShared) {
  const BoundStatistic x =
      statistic_of("SELECT AVG(educ) AS a, STDDEV(educ) AS s FROM people", "accuracy = { s = 0.5 }");
  EXPECT_FALSE(x.measurements[0].target);
  EXPECT_EQ(x.measurements[1].target, Rational::of_decimal("0.5").value());
}

TEST(Bind, ChoosesPrivateKeysByUnits) {
  const std::string by_city = "SELECT city, SUM(debt) AS d, COUNT(*) AS n FROM people GROUP BY city";
  const BoundStatistic one = statistic_of(by_city, "max_groups = 4\naccuracy = { n = 9 }");
  ASSERT_EQ(one.measurements.size(), 2U);
  EXPECT_EQ(one.measurements[0].kind, Units::kind);
  EXPECT_EQ(one.measurements[0].aggregation, 1U);
  EXPECT_EQ(one.measurements[0].target, Rational::of(9));
  EXPECT_EQ(one.measurements[0].sensitivity.shift, 1);
  EXPECT_EQ(one.measurements[0].sensitivity.coordinates, 4);
  const BoundStatistic many = statistic_of(by_city, "max_rows = 2\nmax_groups = 4");
  ASSERT_EQ(many.measurements.size(), 3U);
  EXPECT_FALSE(many.measurements[0].aggregation);
  EXPECT_EQ(many.measurements[0].sensitivity.shift, 1);
  EXPECT_EQ(many.measurements[2].kind, Count::kind);
  EXPECT_EQ(many.measurements[2].sensitivity.shift, 2);
  EXPECT_EQ(statistic_of("SELECT city, SUM(debt) AS d FROM people GROUP BY city").measurements.size(), 2U);
}

TEST(Bind, TakesEveryRowForAUnitWhereTheTableSaysSo) {
  const std::string rows =
      "[tables.t]\nsource = \"t.csv\"\nunit = \"row\"\n[tables.t.columns]\nx = { type = \"integer\", lower = 0, upper "
      "= 3 }\ny = { type = \"string\" }\n";
  const BoundStatistic x =
      statistic_of("SELECT y, COUNT(*) AS n FROM t GROUP BY y", "max_rows = 9\nmax_groups = 9", rows);
  EXPECT_EQ(x.contribution.max_groups, 1);
  EXPECT_EQ(x.contribution.max_rows, 1);
  ASSERT_EQ(x.measurements.size(), 1U);
  EXPECT_EQ(x.measurements[0].kind, Units::kind);
}

TEST(Bind, ChargesReplacedUnits) {
  std::string replaced = testing::people_table;
  replaced.insert(replaced.find("row_limit"), "neighbours = \"replace\"\n");
  const Result<BoundStudy> study = bound({{"SELECT region, AVG(debt) AS a FROM people GROUP BY region", ""}}, replaced);
  EXPECT_EQ(study.value().neighbours, privacy::Neighbours::replace);
  EXPECT_EQ(study.value().statistics[0].measurements[0].sensitivity.coordinates, 2);
}

TEST(Bind, GivesDerivedRealsAGridOfTheirOwn) {
  const auto argument = [](const std::string& x) {
    return statistic_of("SELECT SUM(" + x + ") AS s FROM people").arguments.front();
  };
  EXPECT_EQ(argument("income").granularity, 0x1p-8);
  const Argument clamped = argument("CLAMP(income, 0, 1000)");
  EXPECT_EQ(clamped.granularity, 0x1p-16);
  EXPECT_EQ(clamped.steps.upper, 1000 << 16);
  const Argument exact = argument("CLAMP(income, 0, 1024)");
  EXPECT_EQ(exact.granularity, 0x1p-16);
  EXPECT_EQ(argument("educ").granularity, 0x1p-22);
  const Argument far = argument("CLAMP(share, 0, 1) / 1000 + 1e3");
  EXPECT_EQ(far.granularity, 0x1p-30);
  EXPECT_GE((far.steps.upper - far.steps.lower), (1 << 20) - 1);
  EXPECT_EQ(argument("0.75").steps.upper, 3 << 24);
}

TEST(Bind, TakesFinerStepsWhereValuesOrPartsOfUnitsLieBetweenThem) {
  std::string rows = testing::people_table;
  rows.replace(rows.find("unit = \"id\""), 11, "unit = \"row\"");
  const auto asked = [&](const std::string& sql) {
    return bound({{"SELECT " + sql + " AS x FROM people", ""}}, rows).value().statistics[0];
  };
  EXPECT_EQ(asked("SUM(debt)").measurements[0].granularity, 1);
  EXPECT_EQ(asked("AVG(debt)").measurements[0].granularity, 1);
  EXPECT_EQ(asked("AVG(income)").measurements[0].granularity, 0.5);
  EXPECT_FALSE(asked("AVG(income)").measurements[0].is_rounded);
  for (const char* const sql : {"SUM(share)", "AVG(share)"}) {
    EXPECT_EQ(asked(sql).measurements[0].granularity, 0x1p-26) << sql;
    EXPECT_TRUE(asked(sql).measurements[0].is_rounded) << sql;
  }
  for (const char* const sql : {"VARIANCE(share)", "MEDIAN(share)", "MAX(share)"}) {
    EXPECT_GE(asked(sql).measurements[0].granularity, 0x1p-20) << sql;
    EXPECT_TRUE(asked(sql).measurements[0].is_rounded) << sql;
  }
  EXPECT_TRUE(asked("MEDIAN(income * 1.5)").measurements[0].is_rounded);
  EXPECT_FALSE(asked("MEDIAN(debt)").measurements[0].is_rounded);
  EXPECT_FALSE(asked("COUNT(share)").measurements[0].is_rounded);
}

TEST(Bind, SaysWhatIsWrongWithFileAndLine) {
  const std::string at_sql = "work/study.toml:5:7: ";
  EXPECT_EQ(said("SELECT region, COUNT(*) AS n FROM people GROUP BY region", "accuracy = { m = 3 }"),
            "work/study.toml:6:14: the statement publishes no column 'm'; write the name behind AS, such as 'n'");
  EXPECT_EQ(said("SELECT COUNT(*) AS people FROM people", "accuracy = { peple = 3 }"),
            "work/study.toml:6:14: the statement publishes no column 'peple' (did you mean people?); write the name "
            "behind AS, such as 'people'");
  EXPECT_EQ(said("SELECT region, COUNT(*) AS n FROM people GROUP BY region", "accuracy = { Region = 3 }"),
            "work/study.toml:6:14: the column 'Region' is a key, which has no accuracy; give one to a statistic, or "
            "leave it out");
  EXPECT_EQ(said("SELECT AVG(CLAMP(educ, 4, 4)) AS four FROM people"),
            at_sql + "the column 'four' is the same in all rows; leave it out, or count the rows");
  EXPECT_EQ(said("SELECT SUM(educ * 0) AS zero FROM people"),
            at_sql + "the column 'zero' is 0 in all rows; leave it out");
  EXPECT_EQ(said("SELECT SUM(CLAMP(id, 0, 9007199254740992)) AS s FROM people"),
            at_sql +
                "the column 's' could leave 64 bits, with up to 1000000 rows of up to 9007199254740992 steps each; "
                "lower row_limit of the table 'people', take narrower bounds with CLAMP(x, lower, upper), or a coarser "
                "granularity");
  EXPECT_EQ(said("SELECT SUM(CLAMP(id, 0, 9007199254740993)) AS s FROM people"),
            at_sql +
                "the column 's' has bounds beyond 2^53 steps of its grid; write CLAMP(x, lower, upper) with nearer "
                "bounds");
  EXPECT_EQ(said("SELECT SUM(CLAMP(id, 0, 100000000)) AS s FROM people", "max_rows = 1000000000"),
            at_sql +
                "the column 's' is a number that one unit could move by more than 2^53 steps of its grid; lower "
                "max_rows or the bounds");
}

TEST(Bind, HoldsAStudyToOneUnitAndOneRelation) {
  const auto table = [](const std::string& name, const std::string& lines) {
    return "[tables." + name + "]\nsource = \"" + name + ".csv\"\n" + lines + "\n[tables." + name +
           ".columns]\nid = { type = \"integer\" }\nkey = { type = \"integer\" }\n";
  };
  const std::vector<Ask> both = {{"SELECT COUNT(*) AS n FROM a", ""}, {"SELECT COUNT(*) AS n FROM b", ""}};
  const auto together = [&](const std::string& a, const std::string& b) {
    const Result<BoundStudy> study = bound(both, table("a", a) + table("b", b));
    return study ? "" : study.error().sentence();
  };
  EXPECT_EQ(together("unit = \"id\"", "unit = \"id\""), "");
  EXPECT_EQ(
      together("unit = \"id\"", "unit = \"key\""),
      "work/study.toml:9:7: the table 'b' has the unit key and the table 'a' id, but a study gives one guarantee; "
      "make two studies of it");
  EXPECT_NE(together("unit = \"id\"", "unit = \"row\""), "");
  query::Catalog catalog =
      testing::catalog_of(testing::catalog_head + table("a", "unit = \"id\"") + table("b", "unit = \"id\""));
  catalog.tables[1].neighbours = privacy::Neighbours::replace;  // no file may say so, but a program could
  EXPECT_EQ(testing::bound_to(catalog, both).error().sentence(),
            "work/study.toml:9:7: the table 'b' has neighbours replace and the table 'a' add-remove, but a study gives "
            "one guarantee; make two studies of it");
}

TEST(Bind, TakesAlphaAndBudgetFromTheStudy) {
  const BoundStudy study = bound({{"SELECT COUNT(*) AS n FROM people", ""}}).value();
  EXPECT_LE(Rational::of(study.alpha.value()).value(), Rational::of_decimal("0.05").value());
  EXPECT_EQ(study.alpha.value(), std::nextafter(0.05, 0));
  EXPECT_EQ(study.budget->epsilon, Rational::of(1));
  EXPECT_FALSE(plan::bind({"s.toml", "c.toml", Rational::of(1), {}, {}}, study.catalog, {}));
}

TEST(Bind, TakesWeightsOfColumns) {
  const std::string sql = "SELECT COUNT(*) AS n, SUM(educ) AS s FROM people";
  const BoundStatistic made = statistic_of(sql, "weight = { S = 4 }");
  EXPECT_FALSE(made.measurements[0].weight);
  EXPECT_EQ(made.measurements[1].weight, numeric::Rational::of(4));
  EXPECT_NE(said(sql, "weight = { t = 4 }").find("publishes no column 't'"), std::string::npos);
  EXPECT_NE(said(sql, "accuracy = { s = 9 }\nweight = { s = 4 }").find("its weight says nothing"), std::string::npos);
  const Plan even = allocate(bound({{sql, ""}}).value()).value();
  const Plan heavy = allocate(bound({{sql, "weight = { s = 4 }"}}).value()).value();
  EXPECT_LT(heavy.statistics[0].noise[1].accuracy, even.statistics[0].noise[1].accuracy);
  EXPECT_GE(heavy.statistics[0].noise[0].accuracy, even.statistics[0].noise[0].accuracy);
}

TEST(Bind, TakesAnAlphaOfItsOwn) {
  const std::string sql = "SELECT COUNT(*) AS n FROM people";
  const Plan plan =
      allocate(bound({{sql + " WHERE educ > 3", ""}, {sql + " WHERE educ > 4", "alpha = 0.001"}}).value()).value();
  EXPECT_GT(scale_of(plan.statistics[0].noise[0].law), 1.5 * scale_of(plan.statistics[1].noise[0].law));
}

}  // namespace
}  // namespace vernier::plan
