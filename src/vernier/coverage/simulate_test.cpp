#include "vernier/coverage/simulate.hpp"

#include <map>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/coverage/population.hpp"

namespace vernier::coverage {
namespace {

using vernier::testing::seeded_source;

ValueGrid grid(double lower, double upper, double granularity) {
  return ValueGrid::of(*Real::of(lower), *Real::of(upper), *Real::of(granularity)).value();
}

Point point_at(double epsilon, std::int64_t size, const ValueGrid& values) {
  return {*privacy::Epsilon::of(epsilon), size, *Alpha::of(0.05), values};
}

PlacedPopulation four() { return {Population::of({1, 2, 3, 4}).value(), grid(1, 4, 1)}; }

TEST(Simulate, DrawsEveryMemberAsOften) {
  const PlacedPopulation all = four();
  auto source = seeded_source(1);
  Places rows(40'000);
  ASSERT_TRUE(draw_rows(all, source, rows));
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const std::uint32_t row : rows) ++counts[row];
  const auto usual = vernier::testing::unsurprising_counts(rows.size(), 0.25, vernier::testing::false_alarm / 4);
  for (const auto& [row, count] : counts) EXPECT_TRUE(usual.contains(count)) << row << ": " << count;
  EXPECT_EQ(counts.size(), 4U);
}

// By the number of members in many samples, and by pairs of neighbours, which would show draws that hang together.
TEST(Simulate, TakesEachMemberOnceWithTheChanceOfTheDesign) {
  const PlacedPopulation all(Population::of(std::vector<double>(1000, 1.0)).value(), grid(0, 1, 1));
  auto source = seeded_source(2);
  for (const double sampled : {0.01, 0.3, 0.9}) {
    std::uint64_t drawn = 0;
    Places rows;
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(draw_members(all, sampled, source, rows));
      ASSERT_LE(rows.size(), 1000U);
      drawn += rows.size();
    }
    const auto usual = vernier::testing::unsurprising_counts(200'000, sampled, vernier::testing::false_alarm / 3);
    EXPECT_TRUE(usual.contains(drawn)) << sampled << ": " << drawn;
  }
  Places rows;
  ASSERT_TRUE(draw_members(all, 1.0, source, rows));
  EXPECT_EQ(rows.size(), 1000U);
}

// With so much budget that there is no noise to speak of every interval holds the sample's value, and misses that of
// the population unless the sample has it too.
TEST(Simulate, CountsWhatIsHeldByHand) {
  const PlacedPopulation all = four();
  auto source = seeded_source(3);
  const Experiment experiment = experiment_of({}, point_at(1000, 1, all.grid()), all).value();
  const Tally tally = simulate(experiment, 400, source).value();
  EXPECT_EQ(tally.simulations, 400);
  EXPECT_EQ(tally.held_sample, 400);
  EXPECT_EQ(tally.held_population, 0);  // 2.5 is no row's value
  EXPECT_EQ(tally.shown.size(), most_shown);
  EXPECT_LT(tally.width, 400 * 1e-3);
}

TEST(Simulate, AddsTalliesUpAndShowsTheFirst) {
  Tally first{.simulations = 3, .held_sample = 2, .held_population = 1, .width = 1.5, .shown = std::vector<Shown>(70)};
  const Tally second{
      .simulations = 5, .held_sample = 5, .held_population = 4, .width = 2.5, .shown = std::vector<Shown>(70)};
  first.add(second);
  EXPECT_EQ(first.simulations, 8);
  EXPECT_EQ(first.held_sample, 7);
  EXPECT_EQ(first.held_population, 5);
  EXPECT_EQ(first.width, 4);
  EXPECT_EQ(first.shown.size(), most_shown);
}

TEST(Simulate, TakesTheMoreAccurateLawUnlessOneIsAskedFor) {
  const PlacedPopulation all = four();
  const auto law_with = [&](const Question& question) {
    return std::string(law_name(release_of(question, point_at(1, 10, all.grid()), all).value()));
  };
  const auto delta = *privacy::Delta::of(1e-8);
  EXPECT_EQ(law_with({.delta = delta}), "geometric");
  EXPECT_EQ(law_with({.delta = *privacy::Delta::of(0.1)}), "discrete-gaussian");
  EXPECT_EQ(law_with({.law = LawKind::discrete_gaussian, .delta = delta}), "discrete-gaussian");
  EXPECT_EQ(law_with({.aggregate = query::Aggregate::quantile}), "exponential");
  EXPECT_EQ(law_with({.method = Method::lecture_classical, .delta = delta}), "gaussian");
}

TEST(Simulate, RefusesWhatHasNoSuchIntervalInOneSentence) {
  const PlacedPopulation all = four();
  const auto sentence = [&](const Question& question) {
    return release_of(question, point_at(1, 10, all.grid()), all).error().sentence();
  };
  EXPECT_EQ(sentence({.is_proportion = true}),
            "a proportion is of two values, so its bounds must be one step of the granularity apart");
  EXPECT_EQ(sentence({.aggregate = query::Aggregate::sum, .public_count = true}),
            "the number of rows can be public for means and proportions only");
  EXPECT_EQ(sentence({.method = Method::lecture_analytic}), "the lecture's interval needs a delta above 0; give delta");
  EXPECT_EQ(sentence({.law = LawKind::discrete_gaussian}), "discrete Gaussian noise needs a delta above 0; give delta");
}

}  // namespace
}  // namespace vernier::coverage
