#include "vernier/interval/relation/population_relation.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"

namespace vernier::interval {
namespace {

using Random = std::mt19937_64;
using Row = std::array<std::int64_t, 2>;  // steps of x and y
using Sums = std::vector<std::int64_t>;

constexpr std::int64_t steps = 16;
constexpr PairShape shape{{steps, 0, 1}, {steps, -1, 1}, 64, 1'000'000};
constexpr double alpha = 0.05;

// A population by how a member is drawn, one of equal chances.
using Members = std::vector<Row>;

Members scattered() {
  Members all;
  for (std::int64_t x = 0; x <= steps; ++x) {
    for (std::int64_t y = 0; y <= steps; ++y) {
      for (std::int64_t i = 0; i < 20 - 2 * std::abs(x - y) + (x > 8 ? 3 : 0); ++i) all.push_back({x, y});
    }
  }
  return all;
}
// One in a hundred at both ends, the others at nearly one place.
Members leverage() {
  Members all(198, {4, 8});
  for (std::size_t i = 0; i < 60; ++i) all[i] = {3, 9};
  all.push_back({16, 0});
  all.push_back({16, 16});
  return all;
}
Members line() {
  Members all;
  for (std::int64_t x = 0; x <= steps; ++x) all.push_back({x, x});
  return all;
}

double truth(const Members& all, Relation relation) {
  const auto n = static_cast<double>(all.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  const auto x = [](const Row& row) { return static_cast<double>(row[0]) / steps; };
  const auto y = [](const Row& row) { return 2 * static_cast<double>(row[1]) / steps - 1; };
  for (const Row& row : all) mx += x(row) / n, my += y(row) / n;
  for (const Row& row : all) {
    xx += (x(row) - mx) * (x(row) - mx) / n, yy += (y(row) - my) * (y(row) - my) / n;
    xy += (x(row) - mx) * (y(row) - my) / n;
  }
  if (relation == Relation::correlation) return xy / std::sqrt(xx * yy);
  return relation == Relation::determination ? xy * xy / (xx * yy)
                                             : (relation == Relation::variance_sample_x ? xx : xy);
}

Sums sample(const Members& all, std::size_t rows, double noise, bool is_normal, Random& random) {
  Sums sums(pair_nodes);
  std::uniform_int_distribution<std::size_t> any(0, all.size() - 1);
  for (std::size_t i = 0; i < rows; ++i) {
    const Row& row = all[any(random)];
    const auto added = pair_row(shape, row[0], row[1]);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += added[k];
  }
  std::exponential_distribution<double> exponential;
  std::normal_distribution<double> normal;
  const double scale = noise * static_cast<double>(shape.weight());
  for (std::int64_t& one : sums) {
    one += std::llround(scale * (is_normal ? normal(random) : exponential(random) - exponential(random)));
  }
  return sums;
}

template <class Inference>
std::uint64_t misses(const Members& all, Relation relation, std::size_t rows, double noise, bool is_normal,
                     int trials) {
  Random random(7);
  const PairLaw law{is_normal, noise * static_cast<double>(shape.weight())};
  const auto inference = Inference::of(law, shape, *Alpha::of(alpha), relation).value();
  const double exact = truth(all, relation);
  std::uint64_t missed = 0;
  for (int i = 0; i < trials; ++i) {
    const auto found = inference.from(sample(all, rows, noise, is_normal, random)).value();
    EXPECT_LE(found.interval.low, found.value);
    EXPECT_LE(found.value, found.interval.high);
    missed += found.interval.low - 1e-9 <= exact && exact <= found.interval.high + 1e-9 ? 0 : 1;
  }
  return missed;
}

constexpr int trials = 300;
std::uint64_t most_misses() { return testing::unsurprising_counts(trials, alpha, testing::false_alarm).greatest; }

TEST(PopulationRelation, HoldsForEveryPopulationSizeAndNoise) {
  for (const Members& all : {scattered(), leverage(), line()}) {
    for (const Relation relation :
         {Relation::covariance_sample, Relation::correlation, Relation::determination, Relation::variance_sample_x}) {
      for (const auto& [rows, noise] : {std::pair<std::size_t, double>{4, 0.1}, {60, 0.01}, {60, 2}, {1500, 1}}) {
        for (const bool is_normal : {false, true}) {
          EXPECT_LE(misses<PopulationRelation>(all, relation, rows, noise, is_normal, trials), most_misses())
              << static_cast<int>(relation) << " rows " << rows << " noise " << noise;
        }
      }
    }
  }
}

// What holds for the rows does not hold for those who were not drawn.
TEST(PopulationRelation, IsMissedByIntervalsOfTheRows) {
  for (const Relation relation : {Relation::covariance_sample, Relation::correlation}) {
    EXPECT_GT(misses<RelationInference>(scattered(), relation, 1500, 0.5, false, trials), most_misses());
  }
}

// Of the products of distances from both means.
double product_deviation(const Members& all) {
  double mx = 0, my = 0, sum = 0, squares = 0;
  const auto n = static_cast<double>(all.size());
  for (const Row& row : all) mx += static_cast<double>(row[0]) / n, my += static_cast<double>(row[1]) / n;
  for (const Row& row : all) {
    const double product = (static_cast<double>(row[0]) - mx) * (static_cast<double>(row[1]) - my);
    sum += product / n, squares += product * product / n;
  }
  return std::sqrt(squares - sum * sum) * 2 / steps / steps;
}

// A covariance is hardly longer than its plug-in interval where there are many rows; a correlation is, since no fourth
// powers of one column are told.
TEST(PopulationRelation, TellsOfManyRows) {
  Random random(3);
  const PairLaw law{false, static_cast<double>(shape.weight())};
  const auto length = [&](Relation relation, std::size_t rows) {
    const auto made = PopulationRelation::of(law, shape, *Alpha::of(alpha), relation).value();
    const auto found = made.from(sample(scattered(), rows, 1, false, random)).value();
    EXPECT_TRUE(found.informative);
    return found.interval.high - found.interval.low;
  };
  EXPECT_LT(length(Relation::covariance_sample, 20000),
            2 * 1.96 * product_deviation(scattered()) / std::sqrt(20000) * 1.1);
  EXPECT_LT(length(Relation::correlation, 20000), 0.08);
  EXPECT_LT(length(Relation::correlation, 2000), 0.3);
}

TEST(PopulationRelation, SaysThatItKnowsNothingOfAFewRowsOrOneX) {
  Random random(1);
  const PairLaw law{false, static_cast<double>(shape.weight())};
  const auto made = PopulationRelation::of(law, shape, *Alpha::of(alpha), Relation::correlation).value();
  for (const auto& [all, rows] :
       {std::pair{scattered(), std::size_t{0}}, {scattered(), 3}, {Members{{5, 3}, {5, 9}}, 400}}) {
    const auto found = made.from(sample(all, rows, 1, false, random)).value();
    EXPECT_FALSE(found.informative) << rows;
    EXPECT_EQ(found.interval.low, -1);
    EXPECT_EQ(found.interval.high, 1);
  }
  EXPECT_FALSE(made.from(Sums(8, 0)).has_value());
  EXPECT_FALSE(PopulationRelation::of(law, shape, *Alpha::of(alpha), Relation::slope).has_value());
}

}  // namespace
}  // namespace vernier::interval
