#include "report/inference_text.hpp"

#include <gtest/gtest.h>

#include "report/accuracy_text.hpp"
#include "support/noisy_studies.hpp"

namespace vernier::report {
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
