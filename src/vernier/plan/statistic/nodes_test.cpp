#include "vernier/plan/statistic/nodes.hpp"

#include <gtest/gtest.h>

#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr std::int64_t million = 1'000'000, usual_limit = 10'000'000'000;

std::int64_t weight(std::int64_t steps, std::int64_t row_limit = million, std::int64_t max_rows = 1) {
  return steps * moment_fineness(steps, row_limit, max_rows);
}

TEST(Moments, HaveExactSquaresWhereTheyFit) {
  EXPECT_EQ(weight(100), 100 * 100);
  EXPECT_EQ(weight(8192), 8192 * 8192);
  EXPECT_EQ(weight(1), 1024);  // a coarse grid gets finer noise
  EXPECT_EQ(weight(15), 225 * 5);
  EXPECT_EQ(weight(100, million, 1000), 100 * 100);
}

TEST(Moments, AreAsFineAsTheLimitsAllowElsewhere) {
  EXPECT_LE(weight(200'000, usual_limit), 1 << 26);
  EXPECT_GT(weight(200'000, usual_limit), (1 << 26) - 200'000);
  EXPECT_LE(1000 * weight(200'000, usual_limit, 1000), 1000 * 200'000);  // one part for each step at least
  EXPECT_EQ(weight(200'000, usual_limit, 1000), 200'000);
  EXPECT_EQ(weight(std::int64_t{1} << 53, 1), std::int64_t{1} << 53);
}

// Whatever is declared: sums of all rows in 62 bits and squares in 64, unless the fineness is 1.
TEST(Moments, NeverLeaveWhatTheEngineCanHold) {
  for (const std::int64_t steps : {1, 2, 3, 255, 8191, 8193, 200'000, 1 << 24, 1 << 30}) {
    for (const std::int64_t limit : {std::int64_t{1}, million, usual_limit, std::int64_t{1'000'000'000'000}}) {
      for (const std::int64_t rows : {1, 7, 1000, 1'000'000}) {
        const std::int64_t fineness = moment_fineness(steps, limit, rows);
        ASSERT_GE(fineness, 1);
        if (fineness == 1) continue;
        EXPECT_TRUE(Int128{steps} * fineness * limit <= Int128{1} << 62);
        EXPECT_TRUE(Int128{steps} * fineness * rows <= Int128{1} << 26);
        EXPECT_TRUE(fineness % steps == 0 || Int128{steps} * steps * fineness <= Int128{1} << 61);
      }
    }
  }
}

TEST(Moments, ShowSpreadsFromThreeSumsAlone) {
  EXPECT_TRUE(can_show(Moments::kind, Moments::deviation_population));
  EXPECT_TRUE(can_show(Mean::kind, Figure::sum));
  EXPECT_FALSE(can_show(Mean::kind, Moments::variance_sample));
  EXPECT_FALSE(can_show(Moments::kind, Quantile::quantile));
  EXPECT_FALSE(can_show(Sum::kind, Figure::sum));
}

// Values from -40 to 60 in steps of 1/2.
Measurement moments_of(Figure figure) {
  Measurement made{};
  made.kind = Moments::kind;
  made.figure = figure;
  made.granularity = 0.5;
  made.origin = -80;
  made.steps = 200;
  made.fineness = 200;
  made.greatest = million * 200 * 200;
  return made;
}

BoundStatistic statistic_of_rows(std::int64_t rows) {
  return {"s", {}, {}, {1, 1}, Rational::of(1), rows, {}, {}, {}, {}};
}

TEST(Moments, GiveCountsAndSumsTheirRange) {
  const BoundStatistic statistic = statistic_of_rows(50);
  const Measurement total = moments_of(Figure::sum);
  const auto nodes = nodes_of({statistic, total, 0}).value();
  const LinearFigure sum = linear_figure(moments_of(Figure::sum), nodes).value();
  EXPECT_EQ(sum.possible.least(), -80 * million);
  EXPECT_EQ(sum.possible.greatest(), 120 * million);
  EXPECT_EQ(sum.granularity, 0.5);
  const LinearFigure count = linear_figure(moments_of(Figure::count), nodes).value();
  EXPECT_EQ(count.possible.greatest(), million);
  EXPECT_EQ(count.granularity, 1);
  Measurement far = moments_of(Figure::sum);
  far.origin = -(std::int64_t{1} << 53);
  EXPECT_FALSE(linear_figure(far, nodes));
}

// A noise of one row's weight moves the mean of 50 rows by range / 50 at most, the variance by about 7/16 of
// range^2 / 50, and a deviation d of a quarter of the range by that over 2 d.
TEST(Moments, SayHowAccurateAFigureIsAbout) {
  const BoundStatistic statistic = statistic_of_rows(50);
  const auto of_one_row = [&](Figure figure) {
    return accuracy_of_step(statistic, moments_of(figure)).value() * Rational::of(200 * 200);
  };
  EXPECT_EQ(of_one_row(Figure::mean), Rational::of(2));
  EXPECT_EQ(of_one_row(Moments::variance_sample), Rational::of_decimal("87.5").value());
  EXPECT_EQ(of_one_row(Moments::deviation_population), Rational::of_decimal("1.75").value());
  EXPECT_EQ(of_one_row(Figure::count), Rational::of(1));
  EXPECT_EQ(of_one_row(Figure::sum), Rational::of(60));
}

// A target of a count or a sum that is made from node sums is met, and a scale a little larger would miss it.
TEST(Moments, MeetTheTargetsOfCountsAndSums) {
  const BoundStatistic statistic = statistic_of_rows(50);
  const Alpha alpha = *Alpha::of(0.05);
  for (const Figure figure : {Figure::count, Figure::sum}) {
    Measurement wanted = moments_of(figure);
    wanted.target = Rational::of(40);
    const auto scales = combined_scales(statistic, wanted, alpha).value();
    for (const double factor : {1.0, 1.05}) {
      const Law laws[] = {*noise::Geometric::of(*LaplaceScale::of(scales[0] * factor)),
                          *noise::DiscreteGaussian::of(*Sigma::of(scales[1] * factor))};
      for (const Law& law : laws) {
        const double found = published_accuracy(statistic, wanted, law, 0, alpha).value();
        EXPECT_EQ(found <= 40, factor == 1.0) << found;
      }
    }
  }
  Measurement impossible = moments_of(Figure::sum);
  impossible.target = Rational::of_decimal("0.1").value();  // less than one step
  EXPECT_EQ(combined_scales(statistic, impossible, alpha).error().sentence(),
            "is made from the sums that it shares, which are not so accurate; state a larger accuracy");
}

}  // namespace
}  // namespace vernier::plan
