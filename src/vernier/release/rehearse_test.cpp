#include "vernier/release/rehearse.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/release_plans.hpp"
#include "vernier/accuracy/accuracy.hpp"

namespace vernier::release {
namespace {

using testing::by_private_region;
using testing::by_region;
using testing::geometric;
using testing::no_noise;
using testing::release_plan;

std::vector<RehearsedStatistic> rehearsed(const plan::Plan& plan, const RehearsalRequest& request = {}) {
  random::Source source = *random::Source::open();
  const auto made = rehearse(plan, request, source);
  EXPECT_TRUE(made) << made.error().sentence();
  return made.value_or(std::vector<RehearsedStatistic>());
}

TEST(Rehearsal, GivesTheFiguresOfItsInventedRowsWhereThereIsNoNoise) {
  const RehearsedStatistic made = rehearsed(release_plan({by_region()}, no_noise())).front();
  ASSERT_EQ(made.groups.size(), 3);
  EXPECT_EQ(made.frames.size(), 30);
  for (const RehearsedFrame& frame : made.frames) {
    for (std::size_t i = 0; i < frame.size(); ++i) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(frame[i][j]->value, *made.groups[i].exact[j]);
    }
  }
  EXPECT_EQ(*made.groups[0].exact[0], 1000);
  EXPECT_NEAR(*made.groups[0].exact[1], -15 * 1000, 1000);  // the middle of -50 to 20
  EXPECT_NEAR(*made.groups[0].exact[2], 8.5, 0.1);          // of 1 to 16
}

TEST(Rehearsal, HasGroupsOfTheSizesThatWereAskedFor) {
  const auto rows = [](InventedSizes sizes) {
    std::vector<std::int64_t> found;
    for (const RehearsedGroup& group :
         rehearsed(release_plan({by_region()}, no_noise()), {.sizes = sizes, .frames = 1}).front().groups) {
      found.push_back(group.rows);
    }
    return found;
  };
  EXPECT_EQ(rows(InventedSizes::equal), (std::vector<std::int64_t>{1000, 1000, 1000}));
  EXPECT_EQ(rows(InventedSizes::zipf), (std::vector<std::int64_t>{1000, 500, 333}));
}

TEST(Rehearsal, ShowsErrorsThatAreQuantilesOfTheLaw) {
  plan::Plan plan = release_plan({by_region()}, geometric(10));
  plan.statistics[0].noise[0].accuracy = 30;
  const RehearsedColumn column = rehearsed(plan).front().columns.front();
  ASSERT_EQ(column.errors.size(), 20);
  EXPECT_TRUE(column.is_of_law);
  EXPECT_EQ(column.within, 19);
  const auto law = *noise::Geometric::of(*LaplaceScale::of(10));
  for (int i = 0; i < 20; ++i) {
    const double beyond = 1 - (i + 0.5) / 20;
    EXPECT_EQ(std::abs(column.errors[i]), accuracy::of(law, *Alpha::of(beyond), accuracy::Cells::one())->accuracy);
  }
}

TEST(Rehearsal, PublishesPrivateGroupsAsOftenAsTheyPass) {
  plan::Plan plan = release_plan({by_private_region()}, geometric(2), 40);
  plan.statistics[0].keys->forecast = {{1, {}}, {40, {}}, {100, {}}};
  const RehearsedStatistic made = rehearsed(plan).front();
  ASSERT_EQ(made.groups.size(), 4);
  const auto seen = [&](std::size_t group) {
    return std::count_if(made.frames.begin(), made.frames.end(),
                         [&](const RehearsedFrame& frame) { return frame[group][0].has_value(); });
  };
  EXPECT_EQ(seen(0), 0);
  EXPECT_GT(seen(1), 3);  // about 19 of 30: wrong once in 1e8
  EXPECT_EQ(seen(2), 30);
  EXPECT_EQ(seen(3), 30);
}

TEST(Rehearsal, SaysWhatItLeavesOut) {
  plan::BoundStatistic paired = by_region();
  paired.name = "paired";
  paired.measurements[2].paired = plan::PairedGrid{};
  plan::BoundStatistic copied = by_region();
  copied.measurements[0].copied = plan::Copied{0, 0, "paired", "n"};
  const plan::Plan plan = release_plan({by_region()}, no_noise());
  EXPECT_TRUE(rehearsed(plan).front().why_not.empty());
  random::Source source = *random::Source::open();
  const auto made = rehearse(release_plan({paired, copied}, no_noise()), {.frames = 1}, source);
  if (!made) return;  // a plan by hand need not be one that a release takes
  EXPECT_NE(made->front().why_not, "");
  EXPECT_NE(made->back().why_not, "");
}

}  // namespace
}  // namespace vernier::release
