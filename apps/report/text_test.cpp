#include "report/text.hpp"

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::report {
namespace {

using plan::MeasurementKind;

TEST(AccuracyText, TellsCountsWholeOthersRoundedUpAndMeansAbout) {
  EXPECT_EQ(accuracy_text(test::measurement({"n"}, 0), 1234), "± 1,234");
  EXPECT_EQ(accuracy_text(test::measurement({"debt", plan::Sum::kind}, 0), 12.341), "± 12.4");
  EXPECT_EQ(accuracy_text(test::measurement({"income", plan::Mean::kind}, 0), 3087.2), "about ± 3,088");
}

TEST(AccuracyText, TellsNothingOfWhatIsNotPublished) {
  EXPECT_EQ(accuracy_text(test::measurement({"", plan::Units::kind}, std::nullopt), 12), "-");
}

}  // namespace

namespace {

TEST(InferenceText, SaysWhatIsNotUsualAndNothingElse) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  EXPECT_TRUE(inference_sentences(statistic).empty());
  statistic.inference.of_population = true;
  statistic.table.sampled = test::decimal("0.01");
  statistic.inference.is_simultaneous = true;
  const auto sentences = inference_sentences(statistic);
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0],
            "Intervals are for the population of which the rows are a random sample, each member of which is in the "
            "data with probability 0.01: sampling error and noise together.");
  EXPECT_EQ(sentences[1], "All intervals of this statistic hold at once, not only each by itself.");
  EXPECT_TRUE(any_of_population(test::bound_study({statistic}, {})));
  EXPECT_TRUE(any_simultaneous(test::bound_study({statistic}, {})));
}

TEST(InferenceText, SaysHowOftenIntervalsHoldWhereAStatisticHasAnAlphaOfItsOwn) {
  plan::BoundStatistic usual = test::bound_statistic("s", {{"n"}}), bold = usual;
  bold.alpha = test::decimal("0.5");
  const auto asked = test::decimal("0.05");
  EXPECT_EQ(
      inference_sentences(bold),
      std::vector<std::string>{"Intervals of this statistic hold with probability 50 %, by an alpha of its own."});
  EXPECT_EQ(confidence_of(usual, asked) + ", " + confidence_of(bold, asked), "95 %, 50 %");
  EXPECT_EQ(confidences_of(test::bound_study({usual, bold}, {}), asked), "50 % or 95 %");
  EXPECT_EQ(confidences_of(test::bound_study({bold}, {}), asked), "50 %");
  EXPECT_EQ(confidences_of(test::bound_study({usual}, {}), asked), "95 %");
}

TEST(InferenceText, NamesTheSurveyWeights) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  statistic.inference.of_population = true;
  statistic.weighted = plan::SurveyWeight{"w", 0.5, 8};
  EXPECT_EQ(inference_sentences(statistic),
            std::vector<std::string>{"Intervals are for the population of which the rows are a random sample, weighted "
                                     "by 'w': sampling error and noise together."});
}

TEST(InferenceText, NamesWhatCountsOfAPopulationOfUnits) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  statistic.inference.of_population = true;
  statistic.table.unit = "id";
  statistic.contribution.max_groups = 1;
  EXPECT_EQ(
      inference_sentences(statistic),
      std::vector<std::string>{
          "Intervals are for what counts of the population of which the units are a random sample: sampling error "
          "and noise together. A member counts in at most 1 group, as one row: with the mean of its rows there, "
          "or, in quantiles, with one of them, drawn by lot."});
}

TEST(InferenceText, WarnsOfDenoisedValuesThatNoTheoremIsAbout) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  using enum query::Denoise;
  for (const query::Denoise asked : {least_risk, soft_threshold}) {
    statistic.inference.denoise = asked;
    ASSERT_EQ(inference_sentences(statistic).size(), 1U);
    EXPECT_NE(inference_sentences(statistic).front().find("are not proven to be nearer"), std::string::npos);
  }
  statistic.inference.denoise = james_stein;
  EXPECT_NE(inference_sentences(statistic).front().find("by a theorem of Stein"), std::string::npos);
  statistic.inference.denoise = consistent;
  EXPECT_TRUE(inference_sentences(statistic).empty());
}

TEST(InferenceText, SaysAboutWhereAPopulationMakesACountDependOnTheRows) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  EXPECT_EQ(accuracy_text(statistic, statistic.measurements[0], 12), "± 12");
  statistic.inference.of_population = true;
  EXPECT_EQ(accuracy_text(statistic, statistic.measurements[0], 1234.1), "about ± 1,235");
}

TEST(AccuracyText, SaysThatAMarginAsWideAsTheBoundsIsNoInformation) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"x", plan::Mean::kind}});
  plan::Measurement& mean = statistic.measurements[0];
  mean.steps = 100;
  EXPECT_EQ(accuracy_text(statistic, mean, 99), "about ± 99.0");
  EXPECT_EQ(accuracy_text(statistic, mean, 100), "no information (about ± 100)");
  plan::BoundStatistic count = test::bound_statistic("s", {{"n"}});
  EXPECT_EQ(accuracy_text(count, count.measurements[0], 2'000'000), "no information (± 2,000,000)");
}

// Of 1,000 rows at most: counts and sums that are made from other sums, and ranks.
TEST(AccuracyText, SaysSoOfWhatTheRowLimitBounds) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"x", plan::Boxed::kind}});
  statistic.table.row_limit = 1000;
  plan::Measurement& one = statistic.measurements[0];
  one.figure = plan::Figure::count;
  EXPECT_EQ(accuracy_text(statistic, one, 999), "± 999");
  EXPECT_EQ(accuracy_text(statistic, one, 1000), "no information (± 1,000)");
  one.figure = plan::Figure::sum;
  one.origin = -50;
  one.steps = 70;  // to 20
  EXPECT_EQ(accuracy_text(statistic, one, 69'999), "± 69,999");
  EXPECT_EQ(accuracy_text(statistic, one, 70'000), "no information (± 70,000)");
  one.figure = plan::figure_of(query::Aggregate::quantile);
  EXPECT_EQ(accuracy_text(statistic, one, 1000), "no information (± 1,000 ranks)");
  EXPECT_EQ(accuracy_text(statistic, one, 10), "± 10.0 ranks");
}

}  // namespace
}  // namespace vernier::report
