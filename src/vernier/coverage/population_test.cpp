#include "vernier/coverage/population.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace vernier::coverage {
namespace {

ValueGrid grid(double lower, double upper, double granularity) {
  return ValueGrid::of(*Real::of(lower), *Real::of(upper), *Real::of(granularity)).value();
}

std::string refused(double lower, double upper, double granularity) {
  const auto made = ValueGrid::of(*Real::of(lower), *Real::of(upper), *Real::of(granularity));
  return made ? "taken" : made.error().sentence();
}

TEST(ValueGrid, ClampsAndRoundsToTheNearestStep) {
  const ValueGrid made = grid(-1, 3, 0.5);
  EXPECT_EQ(made.steps(), 8);
  EXPECT_EQ(made.step_of(-7), 0);
  EXPECT_EQ(made.step_of(99), 8);
  EXPECT_EQ(made.step_of(0.2), 2);
  EXPECT_EQ(made.step_of(0.3), 3);
  EXPECT_EQ(made.value_of(3), 0.5);
  EXPECT_EQ(made.lower(), -1);
  EXPECT_EQ(made.upper(), 3);
}

TEST(ValueGrid, TakesDecimalsThatNoDoubleHolds) {
  EXPECT_EQ(grid(0.3, 0.7, 0.1).steps(), 4);
  EXPECT_EQ(grid(0, 200'000, 0.01).steps(), 20'000'000);
}

TEST(ValueGrid, RefusesBoundsThatAreNoneInOneSentence) {
  EXPECT_EQ(refused(0, 1, 0), "the granularity must be above 0, but it is 0");
  EXPECT_EQ(refused(2, 1, 1), "the lower bound must be below the upper one, but they are 2 and 1");
  EXPECT_EQ(refused(0, 2.5, 1),
            "the bounds must be whole multiples of the granularity 1, but 2.5 is none; give another granularity");
  EXPECT_EQ(refused(0, 1e30, 1), "the granularity 1 is too fine for a bound of 1e+30; make it coarser");
  EXPECT_EQ(refused(0, 1e12, 1),
            "the bounds must be 1 to 2^30 steps of the granularity apart, but they are 1000000000000; give another "
            "granularity");
}

TEST(Population, KnowsEveryMembersPlace) {
  const PlacedPopulation placed(Population::of({5, 1, 99, 5, -3}).value(), grid(0, 10, 1));
  EXPECT_EQ(std::vector(placed.steps().begin(), placed.steps().end()), (std::vector<std::int64_t>{0, 1, 5, 10}));
  EXPECT_EQ(std::vector(placed.members().begin(), placed.members().end()), (std::vector<std::uint32_t>{2, 1, 3, 2, 0}));
}

TEST(Population, HasValuesAndAllAreFinite) {
  EXPECT_EQ(Population::of({}).error().sentence(), "a population needs at least one value, but there is none");
  EXPECT_FALSE(Population::of({1, std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_FALSE(Population::of({std::numeric_limits<double>::infinity()}));
}

double mean_of(const NamedPopulation& named) {
  const auto values = named.population.values();
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(NamedPopulation, HasTheShapeOfItsName) {
  EXPECT_NEAR(mean_of(population_named("normal,mean=10,deviation=3").value()), 10, 1e-9);
  EXPECT_NEAR(mean_of(population_named("skewed").value()), std::exp(0.5), 1e-3);
  EXPECT_NEAR(mean_of(population_named("two-point,share=0.25").value()), 0.25, 1e-9);
  EXPECT_NEAR(mean_of(population_named("uniform").value()), 0.5, 1e-9);
  EXPECT_EQ(mean_of(population_named("constant,value=0.75").value()), 0.75);
  const auto normal = population_named("normal").value();
  double squares = 0;
  for (const double value : normal.population.values()) squares += value * value;
  EXPECT_NEAR(squares / named_members, 1, 1e-3);
}

TEST(NamedPopulation, RefusesWhatItDoesNotKnowInOneSentence) {
  const auto sentence = [](const char* words) { return population_named(words).error().sentence(); };
  EXPECT_EQ(sentence("norml"),
            "the distribution must be one of normal, skewed, two-point, constant, uniform, but it is 'norml' (did you "
            "mean normal?)");
  EXPECT_EQ(sentence("normal,sd=2"),
            "the distribution 'normal' takes deviation=1, mean=0 or other values of these, but there is 'sd=2'");
  EXPECT_EQ(sentence("uniform,low=1"), "the distribution 'uniform' takes no keys, but there is 'low=1'");
  EXPECT_EQ(sentence("two-point,share=2"), "the share of a distribution must be between 0 and 1, but it is 2");
  EXPECT_EQ(sentence("normal,deviation=0"),
            "the deviation of a distribution must be above 0 and at most 100, but it is 0");
  EXPECT_EQ(sentence("normal,mean=x"),
            "the key 'mean' of the distribution must be a decimal number such as 0.05 or 1e-6, but it is 'x'");
}

}  // namespace
}  // namespace vernier::coverage
