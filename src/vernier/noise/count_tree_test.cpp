#include "vernier/noise/count_tree.hpp"

#include <gtest/gtest.h>

namespace vernier::noise {
namespace {

TEST(CountTree, FollowsFromTheNumberOfPointsAlone) {
  const auto shape = [](std::int64_t points) {
    const CountTree tree = CountTree::of(points).value();
    return std::array<std::int64_t, 3>{tree.levels(), tree.branching(0), tree.levels() > 1 ? tree.branching(1) : 0};
  };
  EXPECT_EQ(shape(2), (std::array<std::int64_t, 3>{1, 2, 0}));
  EXPECT_EQ(shape(16), (std::array<std::int64_t, 3>{1, 16, 0}));
  EXPECT_EQ(shape(1001), (std::array<std::int64_t, 3>{3, 5, 15}));
  EXPECT_EQ(shape(200'001), (std::array<std::int64_t, 3>{5, 4, 15}));
}

// Every level divides the points among its nodes, and the children of a node divide its points.
TEST(CountTree, HasEveryPointOnceOnEachLevel) {
  for (const std::int64_t points : {2, 3, 17, 40, 100, 999, 1000, 1001, 70'000, 1 << 20}) {
    const CountTree tree = CountTree::of(points).value();
    std::int64_t parents = 1;
    for (int level = 0; level < tree.levels(); ++level) {
      std::int64_t next = 0, point = 0;
      for (std::int64_t parent = 0; parent < parents; ++parent) {
        const CountTree::Children children = tree.children(level, parent);
        ASSERT_EQ(children.first, next);
        ASSERT_GE(children.count(), 1);
        ASSERT_LE(children.count(), tree.branching(level));
        next = children.end;
        for (std::int64_t node = children.first; node < children.end; ++node) {
          ASSERT_EQ(tree.first_point(level, node), point);
          point = tree.end_point(level, node);
        }
        if (level > 0) {
          ASSERT_EQ(point, tree.end_point(level - 1, parent));
        }
      }
      ASSERT_EQ(point, points);
      parents = next;
    }
    EXPECT_EQ(parents, points);
  }
}

TEST(CountTree, RefusesGridsThatAreNone) {
  for (const std::int64_t points : {-1, 0, 1, (1 << 20) + 1}) EXPECT_FALSE(CountTree::of(points)) << points;
}

}  // namespace
}  // namespace vernier::noise
