#include <gtest/gtest.h>

#include "support/events.hpp"
#include "vernier/accounting/event.hpp"

namespace vernier::accounting {
namespace {

using test::approximate, test::discrete_gaussian, test::event, test::gaussian, test::geometric, test::key_selection,
    test::laplace, test::pure, test::replaced, test::zcdp;

// Each differs from all others in one thing.
std::vector<Event> all_different() {
  return {event(laplace(2)),
          event(laplace(3)),
          event(laplace(2, 3)),
          event(laplace(2), 1, 0.5),
          event(laplace(2), 1, 0.25),
          replaced(laplace(2)),
          event(gaussian(2)),
          event(gaussian(2, 3)),
          event(geometric(2)),
          event(geometric(2, 3)),
          event(discrete_gaussian(2)),
          event(discrete_gaussian(2, 3)),
          event(pure(2)),
          event(pure(3)),
          event(approximate(2, 1e-6)),
          event(approximate(2, 1e-7)),
          event(approximate(3, 1e-6)),
          event(zcdp(2)),
          event(zcdp(3)),
          event(key_selection(geometric(2), 9, 1)),
          event(key_selection(geometric(3), 9, 1)),
          event(key_selection(geometric(2), 8, 1)),
          event(key_selection(geometric(2), 9, 2)),
          event(key_selection(discrete_gaussian(2), 9, 1))};
}

TEST(EventGroups, KeepApartWhatDiffers) { EXPECT_EQ(grouped(all_different()).size(), all_different().size()); }

TEST(EventGroups, CountEqualEventsTogether) {
  std::vector<Event> events = all_different();
  for (const Event& one : all_different()) events.push_back(one.with(*Times::of(4)));
  const std::vector<Event> groups = grouped(events);
  ASSERT_EQ(groups.size(), all_different().size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    EXPECT_EQ(groups[i].times().value(), 5) << i;
    EXPECT_EQ(groups[i].release().index(), events[i].release().index()) << i;
    EXPECT_EQ(groups[i].sampling().value(), events[i].sampling().value()) << i;
  }
}

TEST(EventGroups, LoseNoneWhereTheSumIsTooLarge) {
  const std::vector<Event> events(7, event(laplace(2), 400'000'000));
  const std::vector<Event> groups = grouped(events);
  std::int64_t total = 0;
  for (const Event& group : groups) total += group.times().value();
  EXPECT_EQ(total, 2'800'000'000);
  EXPECT_EQ(groups.size(), 4);
}

TEST(EventGroups, OfNothingAreNone) { EXPECT_TRUE(grouped({}).empty()); }

}  // namespace
}  // namespace vernier::accounting
