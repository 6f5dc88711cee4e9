#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "vernier/interval/noise/kept.hpp"

namespace vernier::interval {
namespace {

constexpr double fine = 1e-4;

// Keeps what lies within a circle.
struct Circle {
  double x, y, radius;
  bool touches(const Box& box) const {
    const double dx = x - std::clamp(x, box.x_first, box.x_last), dy = y - std::clamp(y, box.y_first, box.y_last);
    return std::hypot(dx, dy) <= radius;
  }
};

struct KeepsEither {
  Circle one, other;
  Trial operator()(const Box& box) const {
    const double width = box.x_last - box.x_first, height = box.y_last - box.y_first;
    return {!one.touches(box) && !other.touches(box), std::max(width, height) <= fine, width > height, 0};
  }
};

TEST(KeptEnds, BeginWhereTheLowerOfTwoPartsDoes) {
  const Circle low{0.7, 0.3, 0.1}, high{0.2, 0.8, 0.15};
  for (const KeepsEither& test : {KeepsEither{low, high}, KeepsEither{high, low}}) {
    const auto found = least_kept(test, {0, 1, 0, 1});
    ASSERT_TRUE(found);
    EXPECT_LE(*found, 0.2);
    EXPECT_GE(*found, 0.2 - fine);
  }
}

TEST(KeptEnds, BeginAtTheEdgeThatIsKept) {
  EXPECT_EQ(least_kept(KeepsEither{{0.5, 0.05, 0.1}, {2, 2, 0.1}}, {0, 1, 0, 1}), 0);
}

TEST(KeptEnds, AreNoneWhenAllIsRejected) {
  EXPECT_FALSE(least_kept(KeepsEither{{2, 2, 0.5}, {-2, 2, 0.5}}, {0, 1, 0, 1}));
}

// Boxes that can be decided only when they are tiny use up the trials: then too much is kept, never too little.
TEST(KeptEnds, KeepWhatThereIsNoTimeToTry) {
  int asked = 0;
  const auto test = [&](const Box& box) {
    ++asked;
    const bool is_decided = box.y_last - box.y_first < 1e-9;
    return Trial{is_decided && box.y_first<0.25, false, box.x_last - box.x_first> 1e-3, 0};
  };
  const auto found = least_kept(test, {0, 1, 0, 1});
  ASSERT_TRUE(found);
  EXPECT_LE(*found, 0.25);
  EXPECT_LE(asked, most_boxes + 2);
}

// The nearer of two boxes that begin alike is halved first.
TEST(KeptEnds, LookFirstWhereItIsNear) {
  int asked = 0;
  const auto test = [&](const Box& box) {
    ++asked;
    const double width = box.x_last - box.x_first;
    const double away = std::abs(std::clamp(0.7, box.x_first, box.x_last) - 0.7);
    return Trial{width <= fine && away > 0, width <= fine, true, away};
  };
  EXPECT_EQ(least_kept(test, {0, 1, 0, 1}), 0);
  EXPECT_LE(asked, 40);
}

}  // namespace
}  // namespace vernier::interval
