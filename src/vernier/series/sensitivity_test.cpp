#include "vernier/series/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "vernier/accounting/accountant.hpp"

namespace vernier::series {
namespace {

Square length_of_set(const Strategy& strategy, const std::vector<std::size_t>& set) {
  Square square = 0;
  for (std::size_t t = 0; t < strategy.steps(); ++t) {
    std::int64_t sum = 0;
    for (const std::size_t j : set) sum += strategy.at(t, j);
    square += static_cast<Square>(sum) * static_cast<Square>(sum);
  }
  return square;
}

// Over every set of at most so many steps, so far apart.
Square by_all_sets(const Strategy& strategy, const Participation& participation) {
  Square worst = 0;
  std::vector<std::size_t> set;
  const std::function<void(std::size_t)> look = [&](std::size_t from) {
    worst = std::max(worst, length_of_set(strategy, set));
    if (set.size() == static_cast<std::size_t>(participation.most)) return;
    for (std::size_t at = from; at < strategy.steps(); ++at) {
      set.push_back(at);
      look(at + static_cast<std::size_t>(participation.apart));
      set.pop_back();
    }
  };
  look(0);
  return worst;
}

std::vector<std::int64_t> random_column(std::mt19937& bits, std::size_t steps) {
  std::vector<std::int64_t> column(steps);
  for (std::int64_t& one : column) one = static_cast<std::int64_t>(bits() % 40);
  column.push_back(1 + static_cast<std::int64_t>(bits() % 40));
  std::ranges::sort(column, std::greater<>());
  column.pop_back();
  return column;
}

TEST(SeriesSensitivity, IsThatOfTheWorstOfAllSets) {
  std::mt19937 bits(1);
  for (int round = 0; round < 60; ++round) {
    const std::size_t steps = 1 + bits() % 12;
    const Strategy strategy = Strategy::toeplitz(random_column(bits, steps)).value();
    const Participation participation{1 + static_cast<std::int64_t>(bits() % 6),
                                      1 + static_cast<std::int64_t>(bits() % 5)};
    EXPECT_TRUE(squared_sensitivity(strategy, participation).value() == by_all_sets(strategy, participation));
  }
}

TEST(SeriesSensitivity, IsThatOfTheWorstSetForEveryFamily) {
  for (std::int64_t percent = 0; percent <= 100; percent += 10) {
    const Strategy strategy = Strategy::of({percent, false}, 12).value();
    for (const Participation& one : {Participation{1, 1}, {3, 1}, {3, 4}, {12, 1}, {2, 11}, {5, 3}})
      EXPECT_TRUE(squared_sensitivity(strategy, one).value() == by_all_sets(strategy, one)) << percent;
  }
  const Strategy normalised = Strategy::of({50, true}, 12).value();
  EXPECT_TRUE(squared_sensitivity(normalised, {1, 1}).value() == by_all_sets(normalised, {1, 1}));
  EXPECT_TRUE(squared_sensitivity(normalised, {2, 12}).value() == by_all_sets(normalised, {1, 1}));
}

// Of a unit at one step exactly, of one at several not less, and for what is nearly a Toeplitz matrix not much more.
TEST(SeriesSensitivity, OfOtherMatricesIsNotBelowThatOfTheWorstSet) {
  std::mt19937 bits(2);
  for (int round = 0; round < 60; ++round) {
    const std::size_t steps = 1 + bits() % 12;
    std::vector<std::vector<std::int64_t>> columns(steps);
    for (std::size_t column = 0; column < steps; ++column) {
      for (std::size_t row = column; row < steps; ++row)
        columns[column].push_back(1 + static_cast<std::int64_t>(bits() % 40));
    }
    const Strategy strategy = Strategy::triangular(columns).value();
    const Participation participation{1 + static_cast<std::int64_t>(bits() % 6),
                                      1 + static_cast<std::int64_t>(bits() % 5)};
    const Square bound = squared_sensitivity(strategy, participation).value(),
                 worst = by_all_sets(strategy, participation);
    EXPECT_TRUE(bound >= worst);
    EXPECT_TRUE(participation.most > 1 || bound == worst);
  }
  const Strategy normalised = Strategy::of({50, true}, 12).value();
  for (const Participation& one : {Participation{2, 1}, {3, 4}, {12, 1}, {5, 3}}) {
    const double bound = sensitivity_of(squared_sensitivity(normalised, one).value());
    EXPECT_GE(bound, sensitivity_of(by_all_sets(normalised, one)));
    EXPECT_LE(bound, 1.1 * sensitivity_of(by_all_sets(normalised, one)));
  }
}

// The last column in place of the first, and the root of m for m steps, are too small: the twin above would see it.
TEST(SeriesSensitivity, IsMoreThanWhatPlantedMistakesSay) {
  const Strategy root = Strategy::of({50, false}, 12).value();
  EXPECT_TRUE(length_of_set(root, {11}) < by_all_sets(root, {1, 1}));
  EXPECT_TRUE(length_of_set(root, {0}) * 3 < by_all_sets(root, {3, 1}));
  EXPECT_TRUE(length_of_set(root, {0, 5, 10}) < by_all_sets(root, {3, 1}));
}

// Without the order of the coefficients the first steps are not the worst: what is refused would be wrong.
TEST(SeriesSensitivity, NeedsCoefficientsThatDoNotGrow) {
  const auto grows = Strategy::triangular({{1, 0, 5}, {1, 0}, {1}}).value();
  EXPECT_TRUE(length_of_set(grows, {0, 2}) > length_of_set(grows, {0, 1}));
}

double epsilon_of(const accounting::Event& event) {
  return accounting::Accountant::of({event})->epsilon(privacy::Delta::of(1e-6).value())->bounds.upper;
}

TEST(SeriesSensitivity, CostsWhatTheGaussianCosts) {
  const Strategy root = Strategy::of({50, false}, 365).value();
  const Square square = squared_sensitivity(root, {1, 1}).value();
  const double sensitivity = sensitivity_of(square);
  for (const double sigma : {0.5, 1.0, 4.0, 40.0}) {
    const auto law = noise::DiscreteGaussian::of(Sigma::of(sigma * sensitivity).value()).value();
    const auto plain = accounting::Event::of(
        mechanism::GaussianMechanism::at_scale(Sigma::of(sigma).value(), privacy::L2Sensitivity::of(1).value()),
        privacy::Neighbours::add_remove);
    const double ratio = epsilon_of(event_of(square, law).value()) / epsilon_of(plain.value());
    EXPECT_GE(ratio, 1);
    EXPECT_LE(ratio, 1.0001);
  }
  EXPECT_FALSE(event_of(square, noise::DiscreteGaussian::of(Sigma::of(100).value()).value()).has_value());
}

// Neighbours of the integer noise, exactly: what they lose is at most what the event says.
TEST(SeriesSensitivity, IsNoLessThanWhatTheIntegersLose) {
  const double scale = 600;
  const auto law = noise::DiscreteGaussian::of(Sigma::of(scale).value()).value();
  for (const std::int64_t shift : {100, 600, 1024}) {
    const auto event = event_of(static_cast<Square>(shift) * static_cast<Square>(shift), law).value();
    const auto curve = std::get<mechanism::GaussianMechanism>(event.release()).curve();
    for (const double epsilon : {0.1, 1.0, 3.0}) {
      double lost = 0;
      for (std::int64_t z = -8000; z <= 8000; ++z) {
        const double here = law.mass(z - shift).lower, there = law.mass(z).upper;
        lost += std::max(0.0, here - std::exp(epsilon) * there);
      }
      EXPECT_LE(lost, curve.delta(privacy::Epsilon::of(epsilon).value()).upper);
    }
  }
}

}  // namespace
}  // namespace vernier::series
