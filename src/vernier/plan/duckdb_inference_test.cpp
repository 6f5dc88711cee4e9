#include <gtest/gtest.h>

#include "support/bound_studies.hpp"

namespace vernier::plan {
namespace {

using testing::statistic_of;

const std::string counts = "SELECT region, COUNT(*) AS n FROM people GROUP BY region";

TEST(Inference, ReachesTheBoundStatistic) {
  EXPECT_EQ(statistic_of(counts).inference, query::Inference{});
  EXPECT_TRUE(statistic_of(counts, "guaranteed = true").inference.is_guaranteed);
}

}  // namespace
}  // namespace vernier::plan
