// Whether the intervals of relations cover: exactly, by summing over all noise, and by simulation with the samplers
// that ship; and whether intervals that are known to be wrong are found out likewise.
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/relation/relation.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;
using Sums = std::array<std::int64_t, pair_nodes>;
using Rows = std::vector<std::pair<std::int64_t, std::int64_t>>;
using Method = std::function<Interval(const Sums&)>;

constexpr double alpha = 0.05;

// Both columns between 0 and 1.
PairShape shape_of(std::int64_t x, std::int64_t y, std::int64_t fineness) {
  return {{x, 0, 1}, {y, 0, 1}, fineness, 1'000'000};
}

struct Data {
  PairShape shape;
  Rows rows;

  Sums sums() const {
    Sums found{};
    for (const auto& [k, l] : rows) {
      const auto row = pair_row(shape, k, l);
      for (std::size_t i = 0; i < found.size(); ++i) found[i] += row[i];
    }
    return found;
  }

  double truth(Relation relation) const {
    const auto n = static_cast<double>(rows.size());
    const auto x = [&](const auto& row) { return static_cast<double>(row.first) / static_cast<double>(shape.x.steps); };
    const auto y = [&](const auto& row) {
      return static_cast<double>(row.second) / static_cast<double>(shape.y.steps);
    };
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (const auto& row : rows) mx += x(row) / n, my += y(row) / n;
    for (const auto& row : rows) {
      const double dx = x(row) - mx, dy = y(row) - my;
      xx += dx * dx, yy += dy * dy, xy += dx * dy;
    }
    if (relation == Relation::slope) return xy / xx;
    if (relation == Relation::intercept) return my - xy / xx * mx;
    if (relation == Relation::covariance_sample) return xy / (n - 1);
    if (relation == Relation::squares_x) return xx;
    if (relation == Relation::variance_sample_x) return xx / (n - 1);
    if (relation == Relation::deviation_population_y) return std::sqrt(yy / n);
    return xy / std::sqrt(xx * yy);
  }
};

constexpr std::array tested = {
    Relation::slope,     Relation::intercept,         Relation::covariance_sample,     Relation::correlation,
    Relation::squares_x, Relation::variance_sample_x, Relation::deviation_population_y};

bool is_missed(const Interval& found, double truth) {
  return truth < found.low - 1e-9 * std::abs(truth) || truth > found.high + 1e-9 * std::abs(truth);
}

template <class Law>
Method shipped(const Law& law, const PairShape& shape, Relation relation) {
  const auto inference = *RelationInference::of(pair_law(law), shape, *Alpha::of(alpha), relation);
  return [inference](const Sums& released) { return inference.from(released)->interval; };
}

// ---- exactly: every noise is -1, 0 or 1 but for what counts as missed

template <class Law>
double missed_mass(const Law& law, const Data& data, Relation relation) {
  const Method method = shipped(law, data.shape, relation);
  const Sums exact = data.sums();
  const double truth = data.truth(relation), zero = law.mass(0).upper, one = law.mass(1).upper;
  double sum = 9 * law.outside(1).upper;
  for (int code = 0; code < 19683; ++code) {
    Sums released = exact;
    double mass = 1;
    for (int i = 0, rest = code; i < 9; ++i, rest /= 3) {
      released[static_cast<std::size_t>(i)] += rest % 3 - 1;
      mass *= rest % 3 == 1 ? zero : one;
    }
    if (mass > 1e-9 && is_missed(method(released), truth)) sum += mass;
  }
  return sum;
}

TEST(RelationCoverage, IsAtLeastWhatItSaysByExactSums) {
  const PairShape one = shape_of(1, 1, 1), two = shape_of(2, 1, 1);
  const std::vector<Data> all = {{one, {{0, 0}, {1, 1}}},
                                 {one, {{0, 1}, {1, 1}, {1, 0}}},
                                 {two, {{0, 0}, {1, 1}, {2, 1}, {2, 0}}},
                                 {two, {{0, 1}, {2, 0}, {2, 0}}}};
  for (const Data& data : all) {
    for (const Relation relation :
         {Relation::slope, Relation::covariance_sample, Relation::squares_x, Relation::variance_sample_x}) {
      EXPECT_LE(missed_mass(law_at<Geometric>(0.25), data, relation), alpha) << static_cast<int>(relation);
      EXPECT_LE(missed_mass(law_at<DiscreteGaussian>(0.4), data, relation), alpha) << static_cast<int>(relation);
    }
  }
}

// ---- rows whose products are divided and cut to whole numbers

// Columns of 100,000 and 100 steps, which no noise alone would excuse: there is hardly any.
Data divided_data(int n) {
  const std::int64_t x = 100'000, y = 100, weight = 1 << 20;
  Data data{shape_of(x, y, -((x * x * y * y + weight - 1) / weight)), {}};
  for (int i = 0; i < n; ++i) data.rows.emplace_back((std::int64_t{i} * 7919) % 99'991, (i * 13) % 89);
  return data;
}

constexpr std::array all_relations = {Relation::mean_x,
                                      Relation::mean_y,
                                      Relation::products,
                                      Relation::slope,
                                      Relation::intercept,
                                      Relation::covariance_sample,
                                      Relation::correlation,
                                      Relation::squares_x,
                                      Relation::variance_sample_x,
                                      Relation::deviation_population_y};

double truth_of(const Data& data, Relation relation) {
  const auto n = static_cast<double>(data.rows.size());
  double x = 0, y = 0, xy = 0;
  for (const auto& [k, l] : data.rows) {
    const double u = static_cast<double>(k) / static_cast<double>(data.shape.x.steps);
    const double v = static_cast<double>(l) / static_cast<double>(data.shape.y.steps);
    x += u / n, y += v / n, xy += u * v;
  }
  if (relation == Relation::mean_x) return x;
  if (relation == Relation::mean_y) return y;
  return relation == Relation::products ? xy - n * x * y : data.truth(relation);
}

TEST(RelationCoverage, HoldsWhereProductsAreCutToWholeNumbers) {
  const auto law = law_at<Geometric>(0.05);  // its draws are 0 but for 2e-9
  for (const int n : {3, 50, 2000}) {
    const Data data = divided_data(n);
    EXPECT_EQ(data.shape.weight(), 1'048'575);
    for (const Relation relation : all_relations) {
      const Interval found = shipped(law, data.shape, relation)(data.sums());
      const double truth = truth_of(data, relation);
      EXPECT_TRUE(found.contains(truth)) << static_cast<int>(relation) << " of " << n << " rows: " << found.low << " "
                                         << found.high << " for " << truth;
    }
    const Interval rows = shipped(law, data.shape, Relation::count)(data.sums());
    EXPECT_EQ(rows.low, n);
    EXPECT_EQ(rows.high, n);
  }
}

TEST(RelationCoverage, HasNodesThatAddUpToTheWeightAndAreNeverNegative) {
  const PairShape shape = divided_data(1).shape;
  for (const std::int64_t k :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{33'333}, std::int64_t{50'000}, std::int64_t{100'000}}) {
    for (const std::int64_t l : {0, 1, 50, 99, 100}) {
      std::int64_t sum = 0;
      for (const std::int64_t node : pair_row(shape, k, l)) {
        EXPECT_GE(node, 0);
        sum += node;
      }
      EXPECT_EQ(sum, shape.weight());
    }
  }
}

// ---- by simulation

// A scattered line; a rare leverage point; an exact line.
enum class Pattern : std::uint8_t { scattered, leverage, exact };
Data data_of(Pattern pattern, int n) {
  Data data{shape_of(15, 60, 1), {}};
  for (int i = 0; i < n; ++i) {
    const std::int64_t k = (7 * i + i / 5) % 16, noise = (31 * i) % 23;
    if (pattern == Pattern::exact) data.rows.emplace_back(k, 4 * k);
    if (pattern == Pattern::scattered) data.rows.emplace_back(k, std::min<std::int64_t>(2 * k + noise, 60));
    if (pattern == Pattern::leverage) data.rows.emplace_back(i == 0 ? 15 : i % 3, i == 0 ? 60 : noise);
  }
  return data;
}

template <class Law>
std::uint64_t misses(const Law& law, const Data& data, Relation relation, const Method& method, std::uint64_t trials,
                     std::uint64_t seed) {
  auto source = vernier::testing::seeded_source(seed);
  std::vector<std::int64_t> noise(trials * pair_nodes);
  EXPECT_TRUE(noise::IntegerSampler<Law>(law).fill(source, noise));
  const Sums exact = data.sums();
  const double truth = data.truth(relation);
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < trials; ++i) {
    Sums released = exact;
    for (std::size_t j = 0; j < pair_nodes; ++j) released[j] += noise[pair_nodes * i + j];
    if (is_missed(method(released), truth)) ++count;
  }
  return count;
}

// Noise of so many rows.
template <class Law>
Law law_in_rows(const PairShape& shape, double rows) {
  return law_at<Law>(rows * static_cast<double>(shape.weight()));
}

template <class Law>
void expect_coverage(double rows, std::uint64_t trials) {
  std::uint64_t seed = 1;
  for (const Pattern pattern : {Pattern::scattered, Pattern::leverage, Pattern::exact}) {
    for (const int n : {3, 50, 2000}) {
      const Data data = data_of(pattern, n);
      const Law law = law_in_rows<Law>(data.shape, rows);
      for (const Relation relation : tested) {
        const std::uint64_t missed = misses(law, data, relation, shipped(law, data.shape, relation), trials, seed++);
        const auto usual = testing::unsurprising_counts(trials, alpha, testing::false_alarm / 1000);
        EXPECT_LE(missed, usual.greatest)
            << "pattern " << static_cast<int>(pattern) << " n " << n << " relation " << static_cast<int>(relation);
      }
    }
  }
}

TEST(RelationCoverage, IsAtLeastWhatItSaysBySimulation) {
  expect_coverage<Geometric>(1, 400);
  expect_coverage<Geometric>(0.1, 400);
  expect_coverage<DiscreteGaussian>(4, 400);
  EXPECT_FALSE(HasFailure());
}

TEST(HeavyRelationCoverage, IsAtLeastWhatItSaysBySimulation) {
  for (const double rows : {0.2, 1.0, 5.0}) {
    expect_coverage<Geometric>(rows, 4000);
    expect_coverage<DiscreteGaussian>(rows, 4000);
  }
  EXPECT_FALSE(HasFailure());
}

// ---- what is wrong is found out

// The slope with its means taken for the true ones: the delta method. y and x lie between 0 and 1 here.
Method delta_method(const PairShape& shape, double sigma_in_rows) {
  return [=](const Sums& released) {
    const auto weight = static_cast<double>(shape.weight());
    double n = 0, x = 0, y = 0, xy = 0, xx = 0;
    for (std::size_t i = 0; i < pair_nodes; ++i) {
      const double sum = static_cast<double>(released[i]) / weight, p = static_cast<double>(i / 3) - 1,
                   q = static_cast<double>(i % 3) - 1;
      n += sum, x += p * sum, y += q * sum, xy += p * q * sum, xx += (p == 0 ? -1 : 1) * sum;
    }
    const double r = x / n, s = y / n, m = xx - r * x, b = (xy - r * y) / m;
    double variance = 0;
    for (std::size_t i = 0; i < pair_nodes; ++i) {
      const double p = static_cast<double>(i / 3) - 1, q = static_cast<double>(i % 3) - 1;
      const double c = (p - r) * (q - s) - b * ((p - r) * (p - r) - (p == 0 ? 1 : 0));
      variance += c * c * sigma_in_rows * sigma_in_rows;
    }
    const double reach = 1.96 * std::sqrt(variance) / std::abs(m);
    return Interval{b - reach, b + reach};
  };
}

TEST(RelationCoverage, RefutesTheDeltaMethod) {
  const Data data = data_of(Pattern::exact, 100);  // where it was seen to hold 0.89 of the time
  const double rows = 16;
  const auto law = law_in_rows<DiscreteGaussian>(data.shape, rows);
  const std::uint64_t trials = 4000;
  const auto usual = testing::unsurprising_counts(trials, alpha, testing::false_alarm);
  EXPECT_GT(misses(law, data, Relation::slope, delta_method(data.shape, rows), trials, 5), usual.greatest);
  EXPECT_LE(misses(law, data, Relation::slope, shipped(law, data.shape, Relation::slope), 1000, 5),
            testing::unsurprising_counts(1000, alpha, testing::false_alarm).greatest);
}

// Where the second order is small the nominal level is nearly reached, so that a tenth less noise is seen.
TEST(RelationCoverage, RefutesNoiseThatIsBelievedSmaller) {
  const Data data = data_of(Pattern::scattered, 20000);
  const auto law = law_in_rows<DiscreteGaussian>(data.shape, 1);
  const auto smaller = law_in_rows<DiscreteGaussian>(data.shape, 0.8);
  const std::uint64_t trials = 5000;
  const auto usual = testing::unsurprising_counts(trials, alpha, testing::false_alarm);
  for (const Relation relation : {Relation::slope, Relation::covariance_sample}) {
    EXPECT_LE(misses(law, data, relation, shipped(law, data.shape, relation), trials, 9), usual.greatest);
    EXPECT_GT(misses(law, data, relation, shipped(smaller, data.shape, relation), trials, 9), usual.greatest);
  }
}

// The interval is at most 5 % longer than the reach of the noise at the truth says.
TEST(RelationCoverage, IsNotMuchLongerThanTheNoiseAsksFor) {
  const Data data = data_of(Pattern::scattered, 25000);
  const auto law = law_in_rows<DiscreteGaussian>(data.shape, 1);
  const Interval ours = shipped(law, data.shape, Relation::slope)(data.sums());
  const Interval plain = delta_method(data.shape, 1)(data.sums());
  EXPECT_LE((ours.high - ours.low) / (plain.high - plain.low), 1.05);
  EXPECT_GE((ours.high - ours.low) / (plain.high - plain.low), 1);
}

}  // namespace
}  // namespace vernier::interval
