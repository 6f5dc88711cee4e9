#include "vernier/accounting/event.hpp"

#include <gtest/gtest.h>

#include "support/events.hpp"

namespace vernier::accounting {
namespace {

using privacy::Neighbours;
using privacy::SamplingRate;
using test::approximate, test::discrete_gaussian, test::gaussian, test::geometric, test::laplace, test::pure,
    test::zcdp;

Result<Event> sampled(Release release, Neighbours neighbours = Neighbours::add_remove) {
  return Event::of(std::move(release), neighbours, Times::once(), *SamplingRate::of(0.1));
}

TEST(Event, KeepsWhatItIsGiven) {
  const auto event = Event::of(laplace(3), Neighbours::add_remove, *Times::of(7), *SamplingRate::of(0.25));
  ASSERT_TRUE(event);
  EXPECT_EQ(std::get<mechanism::LaplaceMechanism>(event->release()).law().scale(), 3);
  EXPECT_EQ(event->neighbours(), Neighbours::add_remove);
  EXPECT_EQ(event->times().value(), 7);
  EXPECT_EQ(event->sampling().value(), 0.25);
  EXPECT_EQ(event->with(*Times::of(8)).times().value(), 8);
  EXPECT_EQ(event->with(*Times::of(8)).sampling().value(), 0.25);
}

TEST(Event, CountsFromOneToAThousandMillions) {
  EXPECT_EQ(Times::of(1)->value(), 1);
  EXPECT_EQ(Times::of(1'000'000'000)->value(), 1'000'000'000);
  for (const std::int64_t value :
       {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1'000'000'001}, INT64_MAX}) {
    ASSERT_FALSE(Times::of(value)) << value;
  }
  EXPECT_EQ(Times::of(0).error().sentence(), "times must be a whole number from 1 to 1e9, but it is 0");
}

TEST(Event, IsSampledOnlyWhereThatIsProven) {
  for (const Release& release :
       {laplace(1), gaussian(1), Release(geometric(1)), Release(discrete_gaussian(1)), pure(1), approximate(1, 1e-6)}) {
    EXPECT_TRUE(sampled(release)) << release.index();
    EXPECT_FALSE(sampled(release, Neighbours::replace)) << release.index();
    EXPECT_TRUE(Event::of(release, Neighbours::replace)) << release.index();
  }
  EXPECT_FALSE(sampled(zcdp(1)));
  EXPECT_FALSE(sampled(test::key_selection(geometric(1), 9, 1)));
  EXPECT_TRUE(Event::of(zcdp(1), Neighbours::replace));
}

TEST(Event, SaysWhyItIsNotSampled) {
  EXPECT_EQ(sampled(gaussian(1), Neighbours::replace).error().sentence(),
            "Poisson sampling is proven for the neighbours add-remove only, not for replace; state the event under "
            "add-remove, or without sampling");
  EXPECT_EQ(sampled(zcdp(1)).error().sentence(),
            "a zCDP statement says nothing about a sampled release; name the mechanism instead of its rho");
  EXPECT_EQ(sampled(test::key_selection(geometric(1), 9, 1)).error().sentence(),
            "key selection on a sample is not accounted for; leave the sampling out");
}

TEST(KeySelection, KeepsWhatItIsGiven) {
  const auto keys = KeySelection::of(geometric(4), 30, 3);
  ASSERT_TRUE(keys);
  EXPECT_EQ(std::get<mechanism::GeometricMechanism>(keys->noise()).law().scale(), 4);
  EXPECT_EQ(keys->threshold(), 30);
  EXPECT_EQ(keys->groups(), 3);
}

TEST(KeySelection, RefusesWhatBreaksItsRules) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  EXPECT_TRUE(KeySelection::of(discrete_gaussian(4), most, 1'000'000));
  EXPECT_TRUE(KeySelection::of(discrete_gaussian(4), 1, 1));
  EXPECT_FALSE(KeySelection::of(discrete_gaussian(4), most + 1, 1));
  EXPECT_FALSE(KeySelection::of(geometric(4), 0, 1));
  EXPECT_FALSE(KeySelection::of(geometric(4), 1, 1'000'001));
  EXPECT_EQ(KeySelection::of(geometric(4, 2), 9, 1).error().sentence(),
            "key selection counts each unit once for a key, so the sensitivity of its noise must be 1, but it is 2");
  EXPECT_EQ(KeySelection::of(geometric(4), 9, 0).error().sentence(),
            "the groups of one unit must be a whole number from 1 to 1e6, but they are 0");
  EXPECT_EQ(KeySelection::of(geometric(4), -2, 1).error().sentence(),
            "the threshold must be a whole number from 1 to 2^53, but it is -2");
}

}  // namespace
}  // namespace vernier::accounting
