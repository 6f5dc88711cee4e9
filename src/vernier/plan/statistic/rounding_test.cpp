#include "vernier/plan/statistic/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "vernier/core/text.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr std::int64_t steps = 8;
constexpr double granularity = 0.25;  // bounds 1 and 3
constexpr std::int64_t origin = 4;

BoundStatistic statistic_of(bool has_units, std::int64_t max_rows = 1) {
  BoundStatistic made{"s", {}, {}, {1, max_rows}, Rational::of(1), 100, {}, {}, {}, {}};
  if (has_units) made.table.unit = "id";
  return made;
}

Measurement measured(MeasurementKind kind, Figure figure, bool is_rounded) {
  Measurement made{};
  made.kind = kind;
  made.figure = figure;
  made.aggregation = 0;
  made.granularity = granularity;
  made.is_rounded = is_rounded;
  made.origin = origin;
  made.steps = steps;
  return made;
}

interval::Interval widened(const BoundStatistic& statistic, const Measurement& one, double of_steps) {
  const Estimate exact{of_steps, 0, {of_steps, of_steps}, true, interval::Status::proven, {}};
  return Subject({statistic, one, 0}).of(exact).interval;
}

double mean(const std::vector<double>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(rows.size());
}

double variance(const std::vector<double>& rows, double less) {
  double squares = 0;
  for (const double x : rows) squares += (x - mean(rows)) * (x - mean(rows));
  return squares / (static_cast<double>(rows.size()) - less);
}

double median(std::vector<double> rows) {
  std::sort(rows.begin(), rows.end());
  return rows[(rows.size() - 1) / 2];
}

// Values at tenths of a step, and the step that each of them counts as.
double value_at(int tenths) { return 1 + granularity * tenths / 10; }
double step_at(int tenths) { return std::floor(value_at(tenths) / granularity + 0.5) * granularity; }

using Statistic = std::function<double(const std::vector<double>&)>;
struct Case {
  Figure figure;
  Statistic statistic;
};
const std::vector<Case> cases = {
    {Figure::mean, mean},
    {Quantile::quantile, median},
    {Moments::variance_population, [](const auto& rows) { return variance(rows, 0); }},
    {Moments::variance_sample, [](const auto& rows) { return variance(rows, 1); }},
    {Moments::deviation_population, [](const auto& rows) { return std::sqrt(variance(rows, 0)); }},
    {Moments::deviation_sample, [](const auto& rows) { return std::sqrt(variance(rows, 1)); }}};

// All tables of two and of three values: the figure of the values lies in what is made of that of the steps, and would
// not in an interval that is a tenth shorter for some of them (of deviations by n, whose bound is that by n - 1, a
// third).
TEST(Rounding, IsAllowedForInIntervalsOfValuesBetweenSteps) {
  const BoundStatistic statistic = statistic_of(false);
  for (const auto& [figure, of] : cases) {
    const MeasurementKind kind = figure == Quantile::quantile ? Quantile::kind : Moments::kind;
    const Measurement one = measured(kind, figure, true);
    double used = 0;
    for (int a = 0; a <= 80; a += 4) {
      for (int b = a; b <= 80; ++b) {
        for (int c = b - 1; c <= 80; c += 3) {  // c < b: two rows alone
          std::vector<double> values{value_at(a), value_at(b)}, on_grid{step_at(a), step_at(b)};
          if (c >= b) values.push_back(value_at(c)), on_grid.push_back(step_at(c));
          const double exact = of(values), told = of(on_grid);
          const interval::Interval found = widened(statistic, one, told);
          ASSERT_LE(found.low, exact + 1e-12) << name_of(figure) << " " << a << " " << b << " " << c;
          ASSERT_GE(found.high, exact - 1e-12) << name_of(figure) << " " << a << " " << b << " " << c;
          if (exact > told) used = std::max(used, (exact - told) / (found.high - told));
        }
      }
    }
    EXPECT_GE(used, 0.5) << name_of(figure);
    EXPECT_LE(used, 1 + 1e-9) << name_of(figure);
  }
}

TEST(Rounding, IsNotAllowedForWhereTheGranularityWasDeclared) {
  const BoundStatistic statistic = statistic_of(false);
  for (const auto& [figure, of] : cases) {
    const interval::Interval found = widened(statistic, measured(Moments::kind, figure, false), 1.5);
    EXPECT_EQ(found.low, 1.5);
    EXPECT_EQ(found.high, 1.5);
  }
}

TEST(Rounding, KeepsIntervalsWithinWhatBoundsAllow) {
  const BoundStatistic statistic = statistic_of(false);
  EXPECT_EQ(widened(statistic, measured(Mean::kind, Figure::mean, true), 1).low, 1);
  EXPECT_EQ(widened(statistic, measured(Mean::kind, Figure::mean, true), 3).high, 3);
  EXPECT_EQ(widened(statistic, measured(Moments::kind, Moments::variance_population, true), 1).high, 1);
  EXPECT_EQ(widened(statistic, measured(Moments::kind, Moments::variance_population, true), 0).low, 0);
}

// All pairs of units with one to four rows each, of which up to three count: the mean of the parts, against what it is
// before they are cut to whole steps.
TEST(Rounding, AllowsForPartsOfUnitsThatAreCutToSteps) {
  for (const std::int64_t most : {1, 2, 3}) {
    const BoundStatistic statistic = statistic_of(true, most);
    const Measurement one = measured(Mean::kind, Figure::mean, false);
    double used = 0;
    for (int code = 0; code < 4 * 33 * 4 * 33; ++code) {
      double cut = 0, exact = 0, rows = 0;
      for (int left = code, unit = 0; unit < 2; ++unit) {
        const std::int64_t c = 1 + left % 4, s = std::min<std::int64_t>(left / 4 % 33, c * steps);
        left /= 4 * 33;
        const std::int64_t r = std::min(c, most);
        cut += static_cast<double>(s * r / c);
        exact += static_cast<double>(s * r) / static_cast<double>(c);
        rows += static_cast<double>(r);
      }
      const double told = 1 + granularity * cut / rows, wanted = 1 + granularity * exact / rows;
      const interval::Interval found = widened(statistic, one, told);
      ASSERT_GE(found.high, wanted - 1e-12) << most << " " << code;
      if (wanted > told) used = std::max(used, (wanted - told) / (found.high - told));
    }
    EXPECT_GE(used, 0.6) << most;
  }
}

TEST(Rounding, NamesThePopulationOfWhatCounts) {
  for (const bool has_units : {false, true}) {
    BoundStatistic statistic = statistic_of(has_units);
    const Measurement one = measured(Moments::kind, Figure::mean, false);
    for (const bool of_population : {false, true}) {
      statistic.inference.of_population = of_population;
      Estimate found{2, 1, {1, 3}, false, interval::Status::proven, {}};
      found.covers = of_population ? interval::Covers::population : interval::Covers::bounded_value;
      const interval::Covers told = Subject({statistic, one, 0}).of(found).covers;
      EXPECT_EQ(interval::is_of_population(told), of_population);
      EXPECT_EQ(name_of(told) == "bounded-population", of_population && has_units);
    }
  }
}

Estimate exactly(double value) { return {value, 0, {value, value}, true, interval::Status::proven, {}}; }

// A sum of x in [1, 3], by itself or from the sums of a mean.
BoundStatistic summed(MeasurementKind kind, bool has_units, bool is_rounded) {
  BoundStatistic made = statistic_of(has_units);
  made.table.row_limit = 1 << 20;
  made.arguments = {Argument{unread(), granularity, kind == Sum::kind ? 0 : origin, {0, steps}}};
  made.tallies = {{TallyKind::sum, 0}};
  made.measurements = {measured(kind, Figure::sum, is_rounded)};
  made.measurements[0].tallies = {0};
  made.measurements[0].greatest = std::int64_t{1} << 40;
  return made;
}

TEST(Rounding, IsAllowedForInSumsOfAsManyRowsAsThereCanBe) {
  for (const bool has_units : {false, true}) {
    for (const bool is_rounded : {false, true}) {
      for (const MeasurementKind& kind : {Sum::kind, Mean::kind}) {
        const BoundStatistic statistic = summed(kind, has_units, is_rounded);
        const Measured in = measured_at(statistic, 0);
        const Estimate told = Subject(in).of(exactly(200));
        EXPECT_EQ(told.coverage, interval::Status::proven);
        // Of 2^20 rows, each off by less than one of 2^28 parts of a step, and of up to 1024 parts of a statement.
        const double moved = granularity * ((has_units || is_rounded) ? 512 + 1 : 0);
        EXPECT_EQ(rounded_steps(in), has_units || is_rounded ? 513 : 0);
        EXPECT_EQ(told.interval.low, 200 - moved);
        EXPECT_EQ(told.interval.high, 200 + moved);
        EXPECT_EQ(told.accuracy, moved);
      }
    }
  }
}

TEST(Rounding, OfASumStaysWithinTheSignOfItsValues) {
  const BoundStatistic statistic = summed(Mean::kind, false, true);
  EXPECT_EQ(Subject(measured_at(statistic, 0)).of(exactly(2)).interval.low, 0);
  EXPECT_GT(Subject(measured_at(statistic, 0)).of(exactly(2)).interval.high, 100);
}

TEST(Rounding, TellsAllThatIsPossibleInPlaceOfANumberThatIsNotFinite) {
  const BoundStatistic statistic = statistic_of(false);
  const Measurement mean = measured(Mean::kind, Figure::mean, true);
  Measurement count = measured(Count::kind, Figure::count, false);
  count.granularity = 1, count.greatest = 100;
  for (const double broken : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (int part = 0; part < 4; ++part) {
      Estimate found = exactly(2);
      (part == 0   ? found.value
       : part == 1 ? found.accuracy
       : part == 2 ? found.interval.low
                   : found.interval.high) = broken;
      const Estimate told = Subject({statistic, mean, 0}).of(found);
      EXPECT_EQ(told.interval.low, 1);
      EXPECT_EQ(told.interval.high, 3);
      EXPECT_EQ(told.value, 1);
      EXPECT_EQ(told.accuracy, 2);
      EXPECT_FALSE(told.informative);
      const Estimate rows = Subject({statistic, count, 0}).of(found);
      EXPECT_EQ(rows.interval.low, 0);
      EXPECT_EQ(rows.interval.high, 100);
    }
  }
}

// x in four steps of 1/2 from 0 on, y on the grid of the other tests; tenths of a step of both.
Measurement paired(const Figure& figure, bool x_is_rounded, bool y_is_rounded) {
  Measurement made = measured(Pair::kind, figure, y_is_rounded);
  made.paired = PairedGrid{0.5, 0, 4, x_is_rounded};
  return made;
}

double covariance(const std::vector<double>& x, const std::vector<double>& y, double less) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - mean(x)) * (y[i] - mean(y));
  return sum / (static_cast<double>(x.size()) - less);
}

TEST(Rounding, IsAllowedForInMeansSpreadsAndCovariancesOfAPair) {
  const BoundStatistic statistic = statistic_of(false);
  using Rows = std::vector<double>;
  const std::vector<std::pair<Figure, std::function<double(const Rows&, const Rows&)>>> figures = {
      {Pair::mean_x, [](const Rows& x, const Rows&) { return mean(x); }},
      {Pair::mean_y, [](const Rows&, const Rows& y) { return mean(y); }},
      {Pair::variance_sample_x, [](const Rows& x, const Rows&) { return variance(x, 1); }},
      {Pair::deviation_population_y, [](const Rows&, const Rows& y) { return std::sqrt(variance(y, 0)); }},
      {Pair::covariance_sample, [](const Rows& x, const Rows& y) { return covariance(x, y, 1); }},
      {Pair::covariance_population, [](const Rows& x, const Rows& y) { return covariance(x, y, 0); }}};
  const auto x_at = [](int tenths) { return 0.5 * tenths / 10; };
  const auto x_step = [&](int tenths) { return std::floor(x_at(tenths) / 0.5 + 0.5) * 0.5; };
  for (const auto& [figure, of] : figures) {
    const Measurement one = paired(figure, true, true);
    double used = 0;
    for (int a = 0; a <= 40; a += 5) {
      for (int b = 4; b <= 40; b += 3) {
        for (int c = 0; c <= 80; c += 5) {
          for (int d = 4; d <= 80; d += 3) {
            const Rows x{x_at(a), x_at(b)}, y{value_at(c), value_at(d)};
            const double exact = of(x, y), told = of({x_step(a), x_step(b)}, {step_at(c), step_at(d)});
            const interval::Interval found = widened(statistic, one, told);
            ASSERT_LE(found.low, exact + 1e-12) << name_of(figure) << " " << a << " " << b << " " << c << " " << d;
            ASSERT_GE(found.high, exact - 1e-12) << name_of(figure) << " " << a << " " << b << " " << c << " " << d;
            if (exact > told) used = std::max(used, (exact - told) / (found.high - told));
          }
        }
      }
    }
    EXPECT_GE(used, 0.3) << name_of(figure);
    const interval::Interval declared = widened(statistic, paired(figure, false, false), 1);
    EXPECT_EQ(declared.high - declared.low, 0);
  }
}

TEST(Rounding, IsSaidOfSumsAndRuns) {
  BoundStatistic statistic = statistic_of(false);
  statistic.query.aggregations = {{query::Aggregate::sum, std::nullopt, "total"}};
  statistic.measurements = {measured(Sum::kind, Figure::sum, true)};
  EXPECT_EQ(grid_sentences(statistic),
            std::vector<std::string>{"'total' adds up values to the nearest multiple of 0.25; its interval allows for "
                                     "that, beyond the margin that the noise has."});
  statistic.arguments = {Argument{unread(), granularity, 0, {0, steps}}};
  statistic.tallies = {{TallyKind::sum, 0}};
  statistic.measurements[0].tallies = {0};
  EXPECT_EQ(grid_sentences(statistic), std::vector<std::string>{"'total' adds up values to the nearest multiple of " +
                                                                shortest(0x1p-30) + "; its interval allows for that."});
  statistic.measurements = {measured(Sum::kind, Figure::sum, false)};
  EXPECT_TRUE(grid_sentences(statistic).empty());
  statistic.table.unit = "id";
  EXPECT_EQ(grid_sentences(statistic).size(), 1U);
  Measurement ranks = measured(Quantile::kind, Quantile::quantile, false);
  EXPECT_FALSE(resolution_of(ranks));
  ranks.steps = std::int64_t{1} << 22;
  EXPECT_EQ(resolution_of(ranks), 8 * granularity);
  statistic.measurements = {ranks};
  ASSERT_EQ(grid_sentences(statistic).size(), 1U);
  EXPECT_NE(grid_sentences(statistic).front().find("are 2 from each other"), std::string::npos);
}

}  // namespace
}  // namespace vernier::plan
