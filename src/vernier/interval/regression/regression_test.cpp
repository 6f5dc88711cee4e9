#include "vernier/interval/regression/regression.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "vernier/interval/regression/solve.hpp"

namespace vernier::interval {
namespace {

using Rows = std::vector<std::vector<double>>;  // of u, from 0 to 1, y last

MomentShape shape_of(std::size_t columns) {
  MomentShape shape{.columns = {}, .weight = 1 << 26, .row_limit = 1'000'000};
  for (std::size_t k = 0; k < columns; ++k) shape.columns.push_back({-1, 1});
  return shape;
}

std::vector<std::int64_t> sums_of(const MomentShape& shape, const Rows& rows) {
  std::vector<std::int64_t> sums(shape.numbers());
  for (const auto& u : rows) {
    const std::vector<std::int64_t> row = moment_row(shape, u);
    for (std::size_t i = 0; i < row.size(); ++i) sums[i] += row[i];
  }
  return sums;
}

Rows scattered(std::size_t columns, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 bits(seed);
  std::normal_distribution<double> normal;
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> u(columns);
    double y = 0;
    const double common = normal(bits);
    for (std::size_t k = 0; k + 1 < columns; ++k) {
      u[k] = std::clamp(0.5 + 0.25 * (0.5 * common + 0.87 * normal(bits)), 0.0, 1.0);
      y += (k % 2 == 0 ? 0.5 : -0.3) * (u[k] - 0.5);
    }
    u.back() = std::clamp(0.5 + y + 0.1 * normal(bits), 0.0, 1.0);
    rows.push_back(u);
  }
  return rows;
}

// Least squares by themselves, over columns between -1 and 1: coefficients, intercept first, deviation and R^2.
std::vector<double> least_squares(const Rows& rows) {
  const std::size_t p = rows.front().size() - 1;
  std::vector<std::vector<long double>> m(p + 1, std::vector<long double>(p + 2));
  const auto z = [](const std::vector<double>& u, std::size_t k) -> long double {
    return k == 0 ? 1 : 2 * u[k - 1] - 1;
  };
  for (const auto& u : rows) {
    for (std::size_t k = 0; k <= p; ++k) {
      for (std::size_t l = 0; l <= p + 1; ++l) m[k][l] += z(u, k) * z(u, l);
    }
  }
  for (std::size_t k = 0; k <= p; ++k) {
    for (std::size_t i = 0; i <= p; ++i) {
      if (i == k) continue;
      const long double factor = m[i][k] / m[k][k];
      for (std::size_t l = k; l <= p + 1; ++l) m[i][l] -= factor * m[k][l];
    }
  }
  std::vector<double> found;
  for (std::size_t k = 0; k <= p; ++k) found.push_back(static_cast<double>(m[k][p + 1] / m[k][k]));
  long double squares = 0, all = 0, mean = 0;
  const auto n = static_cast<long double>(rows.size());
  for (const auto& u : rows) mean += z(u, p + 1) / n;
  for (const auto& u : rows) {
    long double residual = z(u, p + 1);
    for (std::size_t k = 0; k <= p; ++k) residual -= found[k] * z(u, k);
    squares += residual * residual, all += (z(u, p + 1) - mean) * (z(u, p + 1) - mean);
  }
  found.push_back(static_cast<double>(std::sqrt(squares / (n - static_cast<long double>(p) - 1))));
  found.push_back(static_cast<double>(1 - squares / all));
  return found;
}

Regressed asked(std::size_t place, std::size_t columns) {
  if (place < columns) return {RegressionPart::coefficient, place};
  return {place == columns ? RegressionPart::deviation : RegressionPart::explained};
}

TEST(Moments, OfARowAreNeverNegativeNodesThatAddUpOrFeaturesWithinTheWeight) {
  for (const std::size_t columns : {2, 3, 4, 5, 9}) {
    const MomentShape shape = shape_of(columns);
    Rows rows = scattered(columns, 200, 5);
    for (int corner = 0; corner < 20; ++corner) {
      std::vector<double> u(columns);
      for (std::size_t k = 0; k < columns; ++k) u[k] = (corner >> (k % 5)) & 1;
      rows.push_back(u);
    }
    for (const auto& u : rows) {
      const std::vector<std::int64_t> row = moment_row(shape, u);
      std::int64_t total = 0;
      for (const std::int64_t one : row) total += one;
      if (shape.layout() == MomentLayout::nodes) {
        EXPECT_EQ(total, shape.weight);
        for (const std::int64_t one : row) EXPECT_GE(one, 0);
        continue;
      }
      EXPECT_EQ(row[0], shape.weight);
      for (std::size_t k = 1; k <= columns; ++k) {
        EXPECT_LE(std::abs(row[k]) + row[columns + k], shape.weight);
        EXPECT_GE(row[columns + k], 0);
      }
      for (std::size_t i = 1 + 2 * columns; i < row.size(); ++i) EXPECT_LE(std::abs(row[i]), shape.weight);
    }
  }
}

TEST(Moments, AreThoseOfTheRows) {
  for (const std::size_t columns : {2, 3, 4, 6}) {
    const MomentShape shape = shape_of(columns);
    const Rows rows = scattered(columns, 50, 6);
    const MomentMatrix found = moments_of(shape, sums_of(shape, rows));
    for (std::size_t k = 0; k <= columns; ++k) {
      for (std::size_t l = 0; l <= columns; ++l) {
        double sum = 0;
        for (const auto& u : rows) sum += (k == 0 ? 1 : 2 * u[k - 1] - 1) * (l == 0 ? 1 : 2 * u[l - 1] - 1);
        EXPECT_NEAR(found.at[k][l], sum, 50 * 200.0 / (1 << 26)) << columns << " " << k << " " << l;
      }
    }
  }
}

// A form of the moments is the same combination of the numbers.
TEST(Moments, HaveFormsInTheNumbers) {
  std::mt19937_64 bits(7);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const std::size_t columns : {2, 3, 4, 7}) {
    const MomentShape shape = shape_of(columns);
    std::vector<std::int64_t> numbers(shape.numbers());
    for (std::int64_t& one : numbers) one = static_cast<std::int64_t>(any(bits) * 1e9);
    PlaceEnds q{}, a{};
    for (std::size_t k = 0; k <= columns; ++k) {
      const double x = any(bits), y = any(bits);
      q[k] = {x, x}, a[k] = {y, y};
    }
    const MomentMatrix m = moments_of(shape, numbers);
    double form = 0, square = 0, of_form = 0, of_square = 0;
    for (std::size_t k = 0; k <= columns; ++k) {
      for (std::size_t l = 0; l <= columns; ++l) {
        form += q[k].low * m.at[k][l] * a[l].low, square += a[k].low * m.at[k][l] * a[l].low;
      }
    }
    const NumberEnds form_ends = form_of(shape, q, a), square_ends = square_of(shape, a);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double rows = static_cast<double>(numbers[i]) / static_cast<double>(shape.weight);
      of_form += form_ends[i].low * rows, of_square += square_ends[i].high * rows;
    }
    EXPECT_NEAR(of_form, form, 1e-9 * m.size);
    EXPECT_NEAR(of_square, square, 1e-9 * m.size);
  }
}

TEST(Inverse, BoundsTheSolution) {
  const MomentShape shape = shape_of(4);
  const MomentMatrix m = moments_of(shape, sums_of(shape, scattered(4, 100, 8)));
  const std::vector<std::size_t> at{0, 1, 2, 3};
  const auto inverse = inverse_of(m, at);
  ASSERT_TRUE(inverse);
  for (std::size_t i = 0; i < 4; ++i) {
    Place solution{};
    solution[i] = 1;
    Place right{};
    for (const std::size_t k : at) right[k] = std::abs(m.at[k][i]);
    for (const std::size_t k : at) EXPECT_GE(inverse->bound(right)[k], std::abs(solution[k]));
  }
  MomentMatrix singular = m;
  for (std::size_t k = 0; k < 5; ++k) singular.at[2][k] = singular.at[1][k];
  EXPECT_FALSE(inverse_of(singular, at));
}

struct Trial {
  int hits = 0, informative = 0;
  double half = 0;
};

// How often the interval of a part holds it, with Laplace or normal noise of so many rows; `believed` of its scale.
Trial tried(std::size_t columns, std::size_t count, double noise, bool is_normal, std::size_t part, int draws,
            double believed = 1) {
  const MomentShape shape = shape_of(columns);
  const auto weight = static_cast<double>(shape.weight);
  const auto inference =
      RegressionInference::of({is_normal, noise * believed * weight}, shape, *Alpha::of(0.05), asked(part, columns));
  std::mt19937_64 bits(columns * 1000 + count + part);
  std::exponential_distribution<double> exponential;
  std::normal_distribution<double> normal;
  const Rows rows = scattered(columns, count, 9);
  const std::vector<std::int64_t> exact = sums_of(shape, rows);
  const double truth = least_squares(rows)[part];
  Trial trial;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<std::int64_t> released = exact;
    for (std::int64_t& one : released) {
      const double drawn = is_normal ? normal(bits) : exponential(bits) - exponential(bits);
      one += std::llround(drawn * noise * weight);
    }
    const RegressionInterval found = inference->from(released).value();
    EXPECT_LE(found.interval.low, found.value);
    EXPECT_LE(found.value, found.interval.high);
    trial.hits += found.interval.low <= truth && truth <= found.interval.high;
    trial.informative += found.informative;
    trial.half += (found.interval.high - found.interval.low) / 2 / draws;
  }
  return trial;
}

// Whether so few hits are what an interval of 95 % has.
bool may_cover(int hits, int draws, double level = testing::false_alarm) {
  return static_cast<std::uint64_t>(hits) >=
         testing::unsurprising_counts(static_cast<std::uint64_t>(draws), 0.95, level).least;
}

TEST(Regression, HoldsWhatIsTrueOfTheRows) {
  for (const bool is_normal : {false, true}) {
    for (std::size_t part = 0; part < 5; ++part) {
      const Trial trial = tried(3, 800, 1, is_normal, part, 60);
      EXPECT_TRUE(may_cover(trial.hits, 60)) << part << " " << trial.hits;
      if (part < 3) EXPECT_EQ(trial.informative, 60) << part;
    }
  }
}

TEST(Regression, RefutesNoiseThatIsBelievedSmaller) {
  const Trial trial = tried(2, 3000, 3, false, 1, 200, 0.4);
  EXPECT_FALSE(may_cover(trial.hits, 200, 1e-6)) << trial.hits;
}

TEST(Regression, SaysNothingWhereThereAreNoRowsOrNoDirections) {
  for (const std::size_t columns : {2, 3, 5}) {
    const MomentShape shape = shape_of(columns);
    Rows same(400, std::vector<double>(columns, 0.3));
    for (std::size_t i = 0; i < same.size(); ++i) same[i].back() = static_cast<double>(i % 7) / 7;
    for (const Rows& rows : {Rows{}, Rows(2, std::vector<double>(columns, 0.5)), same}) {
      for (std::size_t part = 1; part < columns; ++part) {
        const auto inference = RegressionInference::of({false, 1.0 * static_cast<double>(shape.weight)}, shape,
                                                       *Alpha::of(0.05), asked(part, columns));
        const RegressionInterval found = inference->from(sums_of(shape, rows)).value();
        EXPECT_FALSE(found.informative);
        EXPECT_TRUE(std::isfinite(found.value) && std::isfinite(found.interval.low));
      }
    }
  }
}

// Mirrored y has the mirrored coefficients; and the forecast is within a factor of 3.
TEST(Regression, IsMirroredWithY) {
  const MomentShape shape = shape_of(3);
  Rows rows = scattered(3, 500, 11), mirrored = rows;
  for (auto& u : mirrored) u.back() = 1 - u.back();
  const PairLaw law{false, static_cast<double>(shape.weight)};
  const auto inference = RegressionInference::of(law, shape, *Alpha::of(0.05), asked(1, 3));
  const RegressionInterval one = inference->from(sums_of(shape, rows)).value();
  const RegressionInterval other = inference->from(sums_of(shape, mirrored)).value();
  EXPECT_NEAR(one.interval.low, -other.interval.high, 1e-3);
  EXPECT_NEAR(one.interval.high, -other.interval.low, 1e-3);
  const double told = regression_accuracy(law, shape, *Alpha::of(0.05), asked(1, 3), 500);
  const double half = (one.interval.high - one.interval.low) / 2;
  EXPECT_LT(half, 3 * told);
  EXPECT_GT(half, told / 3);
}

TEST(HeavyRegression, HoldsWhatIsTrueOfTheRowsEverywhere) {
  for (const std::size_t columns : {2, 3, 4, 5, 6}) {
    for (const std::size_t count : {50, 500, 5000}) {
      for (const bool is_normal : {false, true}) {
        for (std::size_t part = 0; part < columns + 2; ++part) {
          const Trial trial = tried(columns, count, 1, is_normal, part, 200);
          EXPECT_TRUE(may_cover(trial.hits, 200)) << columns << " " << count << " " << part << " " << trial.hits;
        }
      }
    }
  }
}

}  // namespace
}  // namespace vernier::interval
