#include "vernier/interval/components/components.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

using Rows = std::vector<std::vector<double>>;  // of u, from 0 to 1

MomentShape shape_of(std::size_t columns) {
  MomentShape shape{.columns = {}, .weight = 1 << 26, .row_limit = 1'000'000};
  for (std::size_t k = 0; k < columns; ++k) shape.columns.push_back({-1, 1 + static_cast<double>(k)});
  return shape;
}

// Columns that go together.
Rows together(std::size_t columns, std::size_t count, std::mt19937_64& bits) {
  std::normal_distribution<double> normal;
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double common = normal(bits);
    std::vector<double> u(columns);
    for (double& one : u) one = std::clamp(0.6 + 0.2 * (0.7 * common + 0.7 * normal(bits)), 0.0, 1.0);
    rows.push_back(u);
  }
  return rows;
}

std::vector<std::int64_t> sums_of(const MomentShape& shape, const Rows& rows) {
  std::vector<std::int64_t> sums(shape.numbers());
  for (const auto& u : rows) {
    const std::vector<std::int64_t> row = moment_row(shape, u);
    for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
  }
  return sums;
}

Symmetric covariances(const MomentShape& shape, const Rows& rows) {
  const std::size_t d = shape.columns.size();
  const auto n = static_cast<double>(rows.size());
  const auto x = [&](const std::vector<double>& u, std::size_t k) {
    return shape.columns[k].lower + u[k] * 2 * shape.columns[k].half();
  };
  std::vector<double> mean(d);
  for (const auto& u : rows) {
    for (std::size_t k = 0; k < d; ++k) mean[k] += x(u, k) / n;
  }
  Symmetric made{.width = d};
  for (const auto& u : rows) {
    for (std::size_t k = 0; k < d; ++k) {
      for (std::size_t l = 0; l < d; ++l) made.at[k][l] += (x(u, k) - mean[k]) * (x(u, l) - mean[l]) / (n - 1);
    }
  }
  return made;
}

double noise_of(const PairLaw& law, std::mt19937_64& bits) {
  if (law.is_normal) return std::normal_distribution<double>(0, law.scale)(bits);
  const double size = std::exponential_distribution<double>(1 / law.scale)(bits);
  return bits() % 2 == 0 ? size : -size;
}

Symmetric random_symmetric(std::size_t width, std::mt19937_64& bits) {
  std::normal_distribution<double> normal;
  Symmetric made{.width = width};
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t l = k; l < width; ++l) made.at[k][l] = made.at[l][k] = normal(bits);
  }
  return made;
}

TEST(Eigenvalues, HaveTheSumsOfPowersThatTheMatrixHas) {
  std::mt19937_64 bits(1);
  for (std::size_t width = 1; width <= most_moment_columns; ++width) {
    const Symmetric a = random_symmetric(width, bits), square = square_of(a);
    const Eigenvalues found = eigenvalues_of(a);
    double first = 0, second = 0, fourth = 0;
    for (const double one : found.values) first += one, second += one * one, fourth += one * one * one * one;
    EXPECT_NEAR(first, a.trace(), 1e-10);
    EXPECT_NEAR(second, square.trace(), 1e-9);
    EXPECT_NEAR(fourth, square_of(square).trace(), 1e-7);
    EXPECT_TRUE(std::is_sorted(found.values.rbegin(), found.values.rend()));
    EXPECT_LT(found.error, 1e-9 * a.length());
  }
}

TEST(Eigenvalues, OfTwoRowsAreThoseOfTheFormula) {
  const Symmetric a{.width = 2, .at = {{{2.0, -3.0}, {-3.0, 5.0}}}};
  const Eigenvalues found = eigenvalues_of(a);
  EXPECT_NEAR(found.values[0], 3.5 + std::sqrt(11.25), 1e-12);
  EXPECT_NEAR(found.values[1], 3.5 - std::sqrt(11.25), 1e-12);
}

// The part of draws in which an eigenvalue lies beyond `times` the reach.
double beyond(const PairLaw& law, std::size_t width, double times) {
  std::mt19937_64 bits(7);
  std::vector<NoisyPart> parts;
  for (std::size_t i = 0; i < 3 * width; ++i) parts.push_back({random_symmetric(width, bits), 0});
  const double reach = MatrixNoise::of(law, 1 << 20, *Alpha::of(0.05)).reach(parts) * (1 << 20);
  int misses = 0;
  constexpr int draws = 2000;
  for (int draw = 0; draw < draws; ++draw) {
    Symmetric sum{.width = width};
    for (const NoisyPart& part : parts) sum.add(part.middle, noise_of(law, bits));
    const Eigenvalues found = eigenvalues_of(sum);
    misses += std::max(found.values.front(), -found.values.back()) > times * reach ? 1 : 0;
  }
  return static_cast<double>(misses) / draws;
}

TEST(MatrixNoise, HoldsEveryEigenvalueAndIsNotTwiceTooLong) {
  for (const bool is_normal : {false, true}) {
    for (const std::size_t width : {2, 4, 7}) {
      const PairLaw law{is_normal, 1000};
      EXPECT_LT(beyond(law, width, 1), 0.05);
      EXPECT_GT(beyond(law, width, 0.5), 0.05) << width;
    }
  }
}

TEST(MatrixNoise, GrowsWithWhatIsNotKnownOfAMatrix) {
  std::mt19937_64 bits(3);
  const NoisyPart part{random_symmetric(3, bits), 0.25};
  for (const bool is_normal : {false, true}) {
    const MatrixNoise noise = MatrixNoise::of({is_normal, 1000}, 1000, *Alpha::of(0.01));
    const double reach = noise.reach(std::vector{part});
    EXPECT_LT(noise.reach(std::vector{NoisyPart{part.middle, 0}}), reach);
    for (int i = 0; i < 20; ++i) {
      NoisyPart within{part.middle, 0};
      const Symmetric moved = random_symmetric(3, bits);
      within.middle.add(moved, 0.25 / moved.length());
      EXPECT_LE(noise.reach(std::vector{within}), reach);
    }
  }
}

struct Trial {
  int draws, misses, short_misses, informative;
};

// Of variances and shares of all places; `short_misses` where intervals are believed to be a sixth as long.
Trial tried(std::size_t columns, std::size_t count, const PairLaw& law, int draws) {
  std::mt19937_64 bits(11);
  const MomentShape shape = shape_of(columns);
  const Rows rows = together(columns, count, bits);
  const std::vector<std::int64_t> sums = sums_of(shape, rows);
  const Eigenvalues truth = eigenvalues_of(covariances(shape, rows));
  double all = 0;
  for (const double one : truth.values) all += one;
  Trial trial{};
  for (const ComponentPart part : {ComponentPart::variance, ComponentPart::share}) {
    for (std::size_t place = 0; place < columns; ++place) {
      const auto inference = ComponentInference::of(law, shape, *Alpha::of(0.05), {part, place}).value();
      const double exact = truth.values[place] / (part == ComponentPart::share ? all : 1);
      for (int draw = 0; draw < draws; ++draw) {
        std::vector<std::int64_t> noisy = sums;
        for (std::int64_t& one : noisy) one += std::llround(noise_of(law, bits));
        const ComponentInterval found = inference.from(noisy).value();
        EXPECT_TRUE(found.interval.contains(found.value));
        ++trial.draws;
        trial.misses += found.interval.contains(exact) ? 0 : 1;
        trial.short_misses += std::abs(exact - found.value) > found.accuracy / 6 ? 1 : 0;
        trial.informative += found.informative ? 1 : 0;
      }
    }
  }
  return trial;
}

TEST(Components, HoldWhatIsTrueOfTheRows) {
  for (const std::size_t columns : {2, 3, 5}) {
    for (const bool is_normal : {false, true}) {
      const PairLaw law{is_normal, (is_normal ? 2.0 : 1.0) * (1 << 26)};
      const Trial trial = tried(columns, 4000, law, 25);
      EXPECT_LT(trial.misses, 0.05 * trial.draws) << columns;
      EXPECT_GT(trial.short_misses, 0.05 * trial.draws) << columns;
      EXPECT_EQ(trial.informative, trial.draws) << columns;
    }
  }
}

TEST(Components, AreExactButForRoundingWhereNoiseIsTiny) {
  std::mt19937_64 bits(5);
  const MomentShape shape = shape_of(3);
  const Rows rows = together(3, 500, bits);
  const Eigenvalues truth = eigenvalues_of(covariances(shape, rows));
  for (std::size_t place = 0; place < 3; ++place) {
    const auto inference =
        ComponentInference::of({false, 1}, shape, *Alpha::of(0.05), {ComponentPart::variance, place}).value();
    const ComponentInterval found = inference.from(sums_of(shape, rows)).value();
    EXPECT_NEAR(found.value, truth.values[place], 1e-5);
    EXPECT_TRUE(found.interval.contains(truth.values[place]));
    EXPECT_LT(found.accuracy, 1e-4);
  }
}

TEST(Components, OfNoRowsSayNothingAndOfFewWhatIsPossible) {
  const MomentShape shape = shape_of(2);
  const PairLaw law{false, 1 << 26};
  for (const ComponentPart part : {ComponentPart::variance, ComponentPart::share}) {
    for (const std::int64_t count : {std::int64_t{-5}, std::int64_t{0}, std::int64_t{1}}) {
      const auto inference = ComponentInference::of(law, shape, *Alpha::of(0.05), {part, 1}).value();
      std::vector<std::int64_t> noisy(shape.numbers(), 0);
      noisy[0] = count * shape.weight;
      const ComponentInterval found = inference.from(noisy).value();
      EXPECT_FALSE(found.informative) << count;
      EXPECT_TRUE(found.may_be_empty);
      EXPECT_EQ(found.interval.low, 0);
    }
  }
}

TEST(Components, AreToldBeforeTheDataWithinAFactorOfTwo) {
  std::mt19937_64 bits(9);
  const MomentShape shape = shape_of(3);
  const PairLaw law{false, 1 << 26};
  const std::vector<std::int64_t> sums = sums_of(shape, together(3, 20'000, bits));
  for (std::size_t place = 0; place < 3; ++place) {
    const Component asked{ComponentPart::variance, place};
    const double told = component_accuracy(law, shape, *Alpha::of(0.05), asked, 20'000);
    const double found =
        ComponentInference::of(law, shape, *Alpha::of(0.05), asked).value().from(sums).value().accuracy;
    EXPECT_LT(told, 2 * found);
    EXPECT_GT(told, found / 2);
  }
}

}  // namespace
}  // namespace vernier::interval
