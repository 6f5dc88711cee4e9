// Slopes, covariances and correlations of a population: all samples of two to four points, hardly any noise.
#include <functional>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"
#include "vernier/interval/relation/population_relation.hpp"
#include "vernier/interval/relation/population_slope.hpp"

namespace vernier::worst_case {
namespace {

using interval::PairShape;
using interval::Relation;
using noise::Geometric;

constexpr std::int64_t steps = 8;  // of x and y, between -1 and 1
constexpr PairShape pair{{steps, -1, 1}, {steps, -1, 1}, 16, 1'000'000};
constexpr interval::SlopeShape fourth{{-1, 1}, {-1, 1}, steps* steps* steps* steps* steps* steps};

interval::PairLaw no_noise() { return interval::pair_law(testing::law_at<Geometric>(0.01)); }

// At steps of x and y, so many of each on average.
struct Point {
  std::int64_t x, y;
  double part;
};
using Points = std::vector<Point>;
using Counts = std::vector<std::int64_t>;
using From = std::function<Told(const Points&, const Counts&)>;

template <class Inference>
From of_pair(const Inference& inference) {
  return [inference](const Points& points, const Counts& counts) {
    std::vector<std::int64_t> sums(interval::pair_nodes);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto row = interval::pair_row(pair, points[i].x, points[i].y);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += counts[i] * row[k];
    }
    const auto found = *inference.from(sums);
    return Told{found.value, found.interval};
  };
}

From told_of(Relation relation, double alpha) {
  const Alpha level = *Alpha::of(alpha);
  if (relation != Relation::slope) return of_pair(*interval::PopulationRelation::of(no_noise(), pair, level, relation));
  const auto inference = *interval::PopulationSlope::of(no_noise(), fourth, level);
  return [inference](const Points& points, const Counts& counts) {
    std::vector<std::int64_t> sums(interval::slope_nodes);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto of_x = interval::fourth_nodes(points[i].x, steps);
      const auto of_y = interval::second_nodes(points[i].y, steps);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += counts[i] * of_x[k / 3] * of_y[k % 3];
    }
    const auto found = *inference.from(sums);
    return Told{found.value, found.informative ? found.interval : Interval{-1e300, 1e300}};
  };
}

double truth_of(Relation relation, const Points& points) {
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  const auto place = [](std::int64_t step) { return 2 * static_cast<double>(step) / steps - 1; };
  for (const Point& one : points) mx += one.part * place(one.x), my += one.part * place(one.y);
  for (const Point& one : points) {
    const double u = place(one.x) - mx, v = place(one.y) - my;
    xx += one.part * u * u, yy += one.part * v * v, xy += one.part * u * v;
  }
  if (relation == Relation::slope) return xy / xx;
  return relation == Relation::correlation ? xy / std::sqrt(xx * yy) : xy;
}

// Of all samples of n rows that are not too rare to matter.
void each_sample(const Points& points, std::int64_t n, double least,
                 const std::function<void(const Counts&, double)>& see) {
  Counts counts(points.size());
  const std::function<void(std::size_t, std::int64_t, double, double)> fill = [&](std::size_t i, std::int64_t left,
                                                                                  double part, double mass) {
    if (mass < least) return;
    if (i + 1 == points.size()) {
      counts[i] = left;
      see(counts, mass);
      return;
    }
    for (std::int64_t k = 0; k <= left; ++k) {
      counts[i] = k;
      fill(i + 1, left - k, part - points[i].part, mass * binomial(left, k, std::min(points[i].part / part, 1.0)));
    }
  };
  fill(0, n, 1, 1);
}

double miss(Relation relation, const Points& points, std::int64_t n, double alpha, Ends ends) {
  const From told = told_of(relation, alpha);
  const double truth = truth_of(relation, points);
  double all = 0;
  each_sample(points, n, 1e-3 * alpha / static_cast<double>(n), [&](const Counts& counts, double mass) {
    if (!contains(ends(told(points, counts)), truth)) all += mass;
  });
  return all;
}

struct Cell {
  Points points;
  std::int64_t n;
};
std::string text_of(const Cell& cell) {
  std::string text = "n " + std::to_string(cell.n);
  for (const Point& one : cell.points)
    text += " (" + std::to_string(one.x) + ", " + std::to_string(one.y) + ") " + std::to_string(one.part);
  return text;
}
Worst worst_of(Relation relation, const std::vector<Cell>& cells, const std::vector<double>& alphas, Ends ends) {
  Worst worst;
  for (const Cell& cell : cells) {
    for (const double alpha : alphas) worst.add(miss(relation, cell.points, cell.n, alpha, ends), alpha, text_of(cell));
  }
  return worst;
}

// Lines with a rare point, three and four points, and two of which one is rare: what climbing through some hundred
// thousand populations found worst.
const std::vector<Cell> lines{{{{0, 8, 0.0184}, {5, 4, 0.41}, {8, 0, 0.5716}}, 24},
                              {{{0, 8, 0.42}, {8, 0, 0.01}, {1, 0, 0.57}}, 24},
                              {{{8, 8, 0.36}, {8, 0, 0.04}, {0, 6, 0.6}}, 24},
                              {{{0, 8, 0.17}, {0, 0, 0.16}, {8, 4, 0.67}}, 24},
                              {{{0, 0, 0.3}, {0, 8, 0.2}, {8, 0, 0.3}, {8, 8, 0.2}}, 8}};
const std::vector<Cell> twos{{{{0, 0, 0.03}, {8, 8, 0.97}}, 100},
                             {{{0, 8, 0.33}, {8, 0, 0.67}}, 100},
                             {{{0, 0, 0.5}, {8, 8, 0.5}}, 12},
                             {{{8, 2, 0.02}, {7, 5, 0.98}}, 60}};
const std::vector<double> few_levels{0.9, 0.5, 0.1, 0.05, 1e-3};

TEST(WorstCase, NoSampleRefutesSlopesOfAPopulation) {
  const Worst worst = worst_of(Relation::slope, lines, {0.5, 0.1, 1e-3}, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

TEST(WorstCase, NoSampleRefutesCovariancesOfAPopulation) {
  for (const std::vector<Cell>& cells : {lines, twos}) {
    const Worst worst = worst_of(Relation::covariance_sample, cells, few_levels, as_told);
    EXPECT_LE(worst.ratio, 1) << worst.cell;
    tell(worst);
  }
  EXPECT_GT(worst_of(Relation::covariance_sample, {{{{0, 8, 0.3}, {8, 0, 0.7}}, 400}}, {0.01}, a_tenth_short).ratio, 1);
}

TEST(WorstCase, NoSampleRefutesCorrelationsOfAPopulation) {
  const Worst worst = worst_of(Relation::correlation, lines, few_levels, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
}

TEST(HeavyWorstCase, RefutesSlopesAndCorrelationsOfAPopulationThatAreATenthShort) {
  const Cell even{{{0, 0, 0.25}, {0, 8, 0.25}, {8, 4, 0.5}}, 1000};
  for (const Relation relation : {Relation::slope, Relation::correlation}) {
    EXPECT_LE(worst_of(relation, {even}, {0.05}, as_told).ratio, 1);
    EXPECT_GT(worst_of(relation, {even}, {0.05}, a_tenth_short).ratio, 1);
  }
}

// Populations of three points on the grid, all over, at all levels.
TEST(HeavyWorstCase, NoSampleRefutesRelationsOfAPopulation) {
  std::vector<Cell> cells = lines;
  std::uint64_t state = 1;
  const auto next = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  while (cells.size() < 60) {
    Points points;
    double all = 0;
    for (int i = 0; i < 3; ++i) {
      const double part = next(3) == 0 ? 0.02 : 1.0 + static_cast<double>(next(10));
      points.push_back({static_cast<std::int64_t>(next(3) * 4), static_cast<std::int64_t>(next(9)), part});
      all += part;
    }
    for (Point& one : points) one.part /= all;
    const Cell cell{points, static_cast<std::int64_t>(8 + 8 * next(4))};
    if (std::isfinite(truth_of(Relation::correlation, points))) cells.push_back(cell);
  }
  for (const Relation relation : {Relation::slope, Relation::covariance_sample, Relation::correlation}) {
    const Worst worst = worst_of(relation, cells, levels, as_told);
    EXPECT_LE(worst.ratio, 1) << worst.cell;
    tell(worst);
  }
}

}  // namespace
}  // namespace vernier::worst_case
