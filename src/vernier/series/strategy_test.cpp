#include "vernier/series/strategy.hpp"

#include <gtest/gtest.h>

#include "vernier/series/sensitivity.hpp"

namespace vernier::series {
namespace {

TEST(SeriesStrategy, HasTheCoefficientsOfItsFamily) {
  const Strategy root = Strategy::of({50, false}, 5).value();
  const std::int64_t wanted[] = {1024, 512, 384, 320, 280};  // 2^10 times 1, 1/2, 3/8, 5/16, 35/128
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(root.at(4, 4 - k), wanted[k]);
  EXPECT_EQ(root.at(1, 2), 0);
  const Strategy own = Strategy::of({0, false}, 3).value();
  EXPECT_EQ(own.at(0, 0), 1024);
  EXPECT_EQ(own.at(2, 1), 0);
}

TEST(SeriesStrategy, NeverGrowsByRounding) {
  for (std::int64_t percent = 0; percent <= 100; ++percent) {
    for (const std::size_t steps : {std::size_t{2}, std::size_t{365}, std::size_t{1025}}) {
      EXPECT_TRUE(Strategy::of({percent, false}, steps).has_value()) << percent << " " << steps;
    }
  }
}

TEST(SeriesStrategy, HasColumnsOfOneLengthWhereTheyAreNormalised) {
  const Strategy normalised = Strategy::of({50, true}, 100).value();
  for (std::size_t j = 0; j < 100; ++j) {
    double square = 0;
    for (const std::int64_t one : normalised.below(j)) square += static_cast<double>(one * one);
    EXPECT_NEAR(std::sqrt(square), 1024, 4) << j;
  }
}

TEST(SeriesStrategy, RefusesWhatIsNone) {
  EXPECT_FALSE(Strategy::toeplitz({}).has_value());
  EXPECT_FALSE(Strategy::toeplitz({0, 0}).has_value());
  EXPECT_FALSE(Strategy::toeplitz({4, 5}).has_value());
  EXPECT_FALSE(Strategy::toeplitz({4, -1}).has_value());
  EXPECT_FALSE(Strategy::of({50, true}, 2000).has_value());
  EXPECT_FALSE(Strategy::triangular({{1, 2}, {0}}).has_value());
  EXPECT_FALSE(Strategy::triangular({{1}, {1}}).has_value());
}

}  // namespace
}  // namespace vernier::series
