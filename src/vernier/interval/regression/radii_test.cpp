#include "vernier/interval/regression/radii.hpp"

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

// What is asked of a radius is 1 and a part of it: the least that is kept is 1 / (1 - part).
Place one_and(double part, const Place& radius) {
  Place bound{};
  bound[1] = 1 + part * radius[1];
  return bound;
}

TEST(Radii, AreNotBelowWhatTheyAsk) {
  for (const double part : {0.0, 0.3, 0.7, 0.9, 0.946}) {
    const std::optional<Place> found = kept_radii({1}, [=](const Place& radius) { return one_and(part, radius); });
    if (!found) continue;
    EXPECT_LE(one_and(part, *found)[1], (*found)[1]) << part;
    EXPECT_GE((*found)[1], 1 / (1 - part)) << part;
    EXPECT_LE((*found)[1], 1.01 / (1 - part) / (1 - part)) << part;
  }
  EXPECT_TRUE(kept_radii({1}, [](const Place& radius) { return one_and(0.7, radius); }));
}

// Each asks for a part of the other.
TEST(Radii, AreKeptOfSeveralColumnsAtOnce) {
  const auto bound = [](const Place& radius) {
    Place next{};
    next[0] = 1 + 0.6 * radius[2], next[2] = 3 + 0.5 * radius[0];
    return next;
  };
  const std::optional<Place> found = kept_radii({0, 2}, bound);
  ASSERT_TRUE(found);
  for (const std::size_t k : {0U, 2U}) EXPECT_LE(bound(*found)[k], (*found)[k]);
  EXPECT_GE((*found)[0], 4.0);  // of x = 1 + 0.6 (3 + 0.5 x)
}

TEST(Radii, AreNotThereWhereEachAsksForMore) {
  EXPECT_FALSE(kept_radii({1}, [](const Place& radius) { return one_and(1.01, radius); }));
  EXPECT_FALSE(kept_radii({1}, [](const Place&) { return one_and(HUGE_VAL, Place{1, 1}); }));
}

}  // namespace
}  // namespace vernier::interval
