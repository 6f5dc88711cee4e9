#include "report/accuracy_text.hpp"

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
}  // namespace vernier::report
