#include "vernier/interval/relation/population_slope.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/interval/relation/relation.hpp"

namespace vernier::interval {
namespace {

struct Point {
  double u, v;  // between the bounds, from 0 to 1
};
using Sample = std::vector<Point>;
using Random = std::mt19937_64;

constexpr std::int64_t weight = 1 << 26;
const SlopeShape shape{.x = {-1, 1}, .y = {-1, 1}, .weight = weight};

std::array<double, slope_nodes> nodes_of(const Point& p) {
  const double a = 1 - p.u, c = 1 - p.v;
  const std::array<double, 5> of_x{a * a * a * a, 4 * a * a * a * p.u, 6 * a * a * p.u * p.u, 4 * a * p.u * p.u * p.u,
                                   p.u * p.u * p.u * p.u};
  const std::array<double, 3> of_y{c * c, 2 * c * p.v, p.v * p.v};
  std::array<double, slope_nodes> all{};
  for (std::size_t i = 0; i < slope_nodes; ++i) all[i] = of_x[i / 3] * of_y[i % 3];
  return all;
}

std::vector<std::int64_t> sums_of(const Sample& rows, double scale, Random& random) {
  std::array<double, slope_nodes> sums{};
  for (const Point& one : rows) {
    const auto nodes = nodes_of(one);
    for (std::size_t i = 0; i < slope_nodes; ++i) sums[i] += nodes[i];
  }
  std::exponential_distribution<double> exponential;
  std::vector<std::int64_t> released;
  for (const double one : sums) {
    const double noise = scale * (exponential(random) - exponential(random));
    released.push_back(static_cast<std::int64_t>(std::llround((one + noise) * static_cast<double>(weight))));
  }
  return released;
}

// White's interval of the rows themselves, without a guard.
bool usual_holds(const Sample& rows, double slope) {
  double x = 0, y = 0, xx = 0, xy = 0, a = 0;
  const auto n = static_cast<double>(rows.size());
  for (const Point& p : rows) x += p.u / n, y += p.v / n;
  for (const Point& p : rows) xx += (p.u - x) * (p.u - x), xy += (p.u - x) * (p.v - y);
  if (!(xx > 0)) return false;
  const double b = xy / xx;
  for (const Point& p : rows) {
    const double u = p.v - y - b * (p.u - x);
    a += (p.u - x) * (p.u - x) * u * u;
  }
  return std::abs(b - slope) <= 1.96 * std::sqrt(a * n / (n - 2)) / xx;
}

// A population by how a member is drawn, and its slope.
struct Population {
  std::function<Point(Random&)> draw;
  double slope;
};

double uniform(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

Population even() {
  return {[](Random& random) {
            const double u = uniform(random);
            return Point{u, 0.2 + 0.4 * u + 0.4 * uniform(random)};
          },
          0.4};
}

// Errors that grow with x.
Population heteroskedastic() {
  return {[](Random& random) {
            const double u = uniform(random);
            return Point{u, 0.5 + (uniform(random) - 0.5) * u};
          },
          0};
}

// Members at the far end are one in `part`, and their y is a coin.
Population leverage(double part) {
  return {[part](Random& random) {
            if (uniform(random) < 1 / part) return Point{1, uniform(random) < 0.5 ? 0.0 : 1.0};
            return Point{0.1 * uniform(random), 0.45 + 0.1 * uniform(random)};
          },
          0};
}

// y is 1 of one in 200, wherever x lies.
Population rare() {
  return {[](Random& random) {
            return Point{uniform(random) < 0.5 ? 0.0 : 1.0, uniform(random) < 1.0 / 200 ? 1.0 : 0.0};
          },
          0};
}

struct Held {
  int ours = 0, usual = 0, informative = 0;
};
Held held(const Population& population, std::size_t size, double epsilon, int samples) {
  Random random(4);
  const PairLaw law{false, static_cast<double>(weight) / epsilon};
  const PopulationSlope inference = PopulationSlope::of(law, shape, *Alpha::of(0.05)).value();
  Held found;
  for (int i = 0; i < samples; ++i) {
    Sample rows;
    for (std::size_t k = 0; k < size; ++k) rows.push_back(population.draw(random));
    const SlopeInterval one = inference.from(sums_of(rows, 1 / epsilon, random)).value();
    found.informative += one.informative ? 1 : 0;
    found.ours += !one.informative || (one.interval.low <= population.slope && population.slope <= one.interval.high);
    found.usual += usual_holds(rows, population.slope) ? 1 : 0;
    EXPECT_TRUE(one.interval.low <= one.value && one.value <= one.interval.high);
  }
  return found;
}

constexpr int samples = 300;
constexpr int certain = 264;  // of 300: fewer with a chance below 1e-6 if each holds with 0.95

TEST(PopulationSlope, HoldsWhereRowsAreUsual) {
  for (const auto& [size, epsilon] : {std::pair<std::size_t, double>{300, 5}, {2500, 1}, {2500, 20}}) {
    for (const Population& one : {even(), heteroskedastic()}) {
      const Held found = held(one, size, epsilon, samples);
      EXPECT_GE(found.ours, certain) << size << " " << epsilon;
      EXPECT_GE(found.informative, size > 1000 ? samples : 0);
    }
  }
}

// White's own interval, of the rows without any noise, does not: a point that decides was not drawn.
TEST(PopulationSlope, HoldsWhereRareMembersDecideAndTheUsualOneDoesNot) {
  const Held far = held(leverage(300), 300, 100, samples);
  EXPECT_GE(far.ours, certain);
  EXPECT_LT(far.usual, certain);
  const Held seldom = held(rare(), 600, 100, samples);
  EXPECT_GE(seldom.ours, certain);
}

// ---- what others do, over the same populations

// Sums of 1, x, y, xy, xx over the rows, x and y between -1 and 1.
using Moments = std::array<double, 5>;

Moments moments_of(const Sample& rows) {
  Moments sums{};
  for (const Point& p : rows) {
    const double x = 2 * p.u - 1, y = 2 * p.v - 1;
    sums[0] += 1, sums[1] += x, sums[2] += y, sums[3] += x * y, sums[4] += x * x;
  }
  return sums;
}
double slope_of(const Moments& m) { return (m[3] - m[1] * m[2] / m[0]) / (m[4] - m[1] * m[1] / m[0]); }
double squares_of_errors(const Sample& rows, double b) {
  const Moments m = moments_of(rows);
  double sum = 0;
  for (const Point& p : rows) {
    const double error = 2 * p.v - 1 - m[2] / m[0] - b * (2 * p.u - 1 - m[1] / m[0]);
    sum += error * error;
  }
  return sum;
}

// One variance for all errors.
bool equal_errors_hold(const Sample& rows, double slope) {
  const Moments m = moments_of(rows);
  const double b = slope_of(m), xx = m[4] - m[1] * m[1] / m[0];
  return std::abs(b - slope) <= 1.96 * std::sqrt(squares_of_errors(rows, b) / (m[0] - 2) / xx);
}

// The parametric bootstrap of Ferrando, Wang and Sheldon 2022, without any noise of privacy: slopes of rows that the
// fitted line with normal errors would give.
bool bootstrap_holds(const Sample& rows, double slope, Random& random) {
  const Moments m = moments_of(rows);
  const double b = slope_of(m), xx = m[4] - m[1] * m[1] / m[0];
  std::normal_distribution<double> error(0, std::sqrt(squares_of_errors(rows, b) / (m[0] - 2)));
  std::vector<double> slopes;
  for (int i = 0; i < 200; ++i) slopes.push_back(b + error(random) / std::sqrt(xx));
  std::sort(slopes.begin(), slopes.end());
  return slopes[5] <= slope && slope <= slopes[194];
}

bool rows_interval_holds(const Sample& rows, double slope, Random& random) {
  constexpr PairShape own{{64, -1, 1}, {64, -1, 1}, 1, 1'000'000};
  const PairLaw law{false, static_cast<double>(own.weight()) / 20};
  std::exponential_distribution<double> exponential;
  std::vector<std::int64_t> sums(pair_nodes);
  for (const Point& p : rows) {
    const auto row = pair_row(own, std::llround(64 * p.u), std::llround(64 * p.v));
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += row[i];
  }
  for (std::int64_t& one : sums) one += std::llround(law.scale * (exponential(random) - exponential(random)));
  const auto found = RelationInference::of(law, own, *Alpha::of(0.05), Relation::slope).value().from(sums).value();
  return found.interval.low <= slope && slope <= found.interval.high;
}

TEST(PopulationSlope, HoldsWhereOtherMethodsAreRefuted) {
  Random random(8);
  int equal = 0, bootstrap = 0, own = 0;
  const Population far = leverage(2000), usual = even();
  for (int i = 0; i < samples; ++i) {
    Sample rows(4000), even_rows(2500);
    for (Point& one : rows) one = far.draw(random);
    for (Point& one : even_rows) one = usual.draw(random);
    equal += equal_errors_hold(rows, far.slope) ? 1 : 0;
    bootstrap += bootstrap_holds(rows, far.slope, random) ? 1 : 0;
    own += rows_interval_holds(even_rows, usual.slope, random) ? 1 : 0;
  }
  EXPECT_LT(equal, samples / 2);
  EXPECT_LT(bootstrap, samples / 2);
  EXPECT_LT(own, samples / 2);
  EXPECT_GE(held(far, 4000, 100, samples).ours, certain);
}

// A lower end for the deviation of x, that is not far below it.
TEST(PopulationSlope, KnowsWhatXDeviatesByAtLeast) {
  Random random(5);
  const PairLaw law{false, static_cast<double>(weight)};
  const auto least = LeastDeviation::of(law, shape, *Alpha::of(0.05)).value();
  const double deviation = 1 / std::sqrt(3.0);  // of x that are even between -1 and 1
  int above = 0;
  for (int i = 0; i < samples; ++i) {
    Sample rows(1000);
    for (Point& one : rows) one = even().draw(random);
    const double found = least.from(sums_of(rows, 1, random)).value();
    above += found > deviation ? 1 : 0;
    EXPECT_GT(found, 0.8 * deviation);
  }
  EXPECT_LE(above, samples - certain);
  EXPECT_EQ(least.from(sums_of(Sample(400, {0.5, 0.3}), 1, random)).value(), 0);
  EXPECT_EQ(least.from(sums_of({}, 1, random)).value(), 0);
}

TEST(PopulationSlope, SaysThatItKnowsNothingOfAFewRowsOrOneX) {
  Random random(1);
  const PairLaw law{false, static_cast<double>(weight)};
  const PopulationSlope inference = PopulationSlope::of(law, shape, *Alpha::of(0.05)).value();
  for (const Sample& rows : {Sample{}, Sample{{0.1, 0.2}}, Sample(100, {0.5, 0.3})}) {
    EXPECT_FALSE(inference.from(sums_of(rows, 1, random)).value().informative);
  }
  EXPECT_FALSE(inference.from(std::vector<std::int64_t>(14, 0)).has_value());
}

// Mirrored, and in other units.
TEST(PopulationSlope, TurnsWithItsColumns) {
  Random random(2);
  Sample rows, mirrored;
  for (int i = 0; i < 3000; ++i) {
    rows.push_back(even().draw(random));
    mirrored.push_back({rows.back().u, 1 - rows.back().v});
  }
  const PairLaw law{true, static_cast<double>(weight) / 4};
  const auto at = [&](const Sample& all, const SlopeShape& in) {
    Random none(3);
    return PopulationSlope::of(law, in, *Alpha::of(0.05)).value().from(sums_of(all, 0, none)).value();
  };
  const SlopeInterval usual = at(rows, shape), turned = at(mirrored, shape);
  EXPECT_NEAR(usual.value, -turned.value, 1e-6);
  EXPECT_NEAR(usual.interval.low, -turned.interval.high, 1e-6);
  SlopeShape wide = shape;
  wide.y = {0, 2000}, wide.x = {10, 20};
  EXPECT_NEAR(at(rows, wide).interval.high, usual.interval.high * 200, 1e-3);
}

TEST(FourthNodes, AreWholeAndAddUp) {
  for (std::int64_t k = 0; k <= 7; ++k) {
    std::int64_t sum = 0, other = 0;
    for (const std::int64_t one : fourth_nodes(k, 7)) sum += one;
    for (const std::int64_t one : second_nodes(k, 7)) other += one;
    EXPECT_EQ(sum, 7 * 7 * 7 * 7);
    EXPECT_EQ(other, 49);
  }
}

}  // namespace
}  // namespace vernier::interval
