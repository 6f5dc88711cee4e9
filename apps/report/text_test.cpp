#include "report/text.hpp"

#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"

namespace vernier::report {
namespace {

using plan::MeasurementKind;

TEST(AccuracyText, TellsCountsWholeOthersRoundedUpAndMeansAbout) {
  EXPECT_EQ(accuracy_text(test::measurement({"n"}, 0), 1234), "± 1,234");
  EXPECT_EQ(accuracy_text(test::measurement({"debt", MeasurementKind::sum}, 0), 12.341), "± 12.4");
  EXPECT_EQ(accuracy_text(test::measurement({"income", MeasurementKind::mean}, 0), 3087.2), "about ± 3,088");
}

TEST(AccuracyText, TellsNothingOfWhatIsNotPublished) {
  EXPECT_EQ(accuracy_text(test::measurement({"", MeasurementKind::units}, std::nullopt), 12), "-");
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

TEST(InferenceText, NamesTheSurveyWeights) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  statistic.inference.of_population = true;
  statistic.weighted = plan::SurveyWeight{"w", 0.5, 8};
  EXPECT_EQ(inference_sentences(statistic),
            std::vector<std::string>{"Intervals are for the population of which the rows are a random sample, weighted "
                                     "by 'w': sampling error and noise together."});
}

TEST(InferenceText, SaysAboutWhereAPopulationMakesACountDependOnTheRows) {
  plan::BoundStatistic statistic = test::bound_statistic("s", {{"n"}});
  EXPECT_EQ(accuracy_text(statistic, statistic.measurements[0], 12), "± 12");
  statistic.inference.of_population = true;
  EXPECT_EQ(accuracy_text(statistic, statistic.measurements[0], 1234.1), "about ± 1,235");
}

}  // namespace
}  // namespace vernier::report
