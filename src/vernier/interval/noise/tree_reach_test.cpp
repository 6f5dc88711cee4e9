#include "vernier/interval/noise/tree_reach.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

using noise::CountTree;
using noise::RankStatistic;

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

TreeReach reach_of(std::int64_t parts, std::int64_t whole, std::int64_t points, double alpha = 0.05) {
  return TreeReach::of(*RankStatistic::quantile(parts, whole, points), *CountTree::of(points), *Alpha::of(alpha));
}

// A symmetric law over -reach..reach, as a vector with 0 in the middle.
struct Lattice {
  std::vector<double> masses;

  std::int64_t reach() const { return static_cast<std::int64_t>(masses.size() / 2); }
  double outside(std::int64_t t) const {
    double sum = 0;
    for (std::int64_t x = t + 1; x <= reach(); ++x) sum += masses[static_cast<std::size_t>(reach() + x)];
    return 2 * sum;
  }
};

template <class Law>
Lattice weighted(const Law& law, std::int64_t weight) {
  const std::int64_t last = law.two_sided_quantile(*Probability::of(1e-12)).value();
  Lattice made{std::vector<double>(static_cast<std::size_t>(2 * last * weight + 1), 0.0)};
  for (std::int64_t x = -last; x <= last; ++x) {
    made.masses[static_cast<std::size_t>((x + last) * weight)] = law.mass(x).upper;
  }
  return made;
}

Lattice sum_of(const Lattice& a, const Lattice& b) {
  Lattice made{std::vector<double>(a.masses.size() + b.masses.size() - 1, 0.0)};
  for (std::size_t i = 0; i < a.masses.size(); ++i) {
    if (a.masses[i] < 1e-16) continue;
    for (std::size_t j = 0; j < b.masses.size(); ++j) made.masses[i + j] += a.masses[i] * b.masses[j];
  }
  return made;
}

Lattice times(const Lattice& one, std::int64_t count) {
  Lattice made{{1.0}};
  for (std::int64_t i = 0; i < count; ++i) made = sum_of(made, one);
  return made;
}

// The chance that a boundary of this level, with so many of level 0 before it, is off by more than t: exactly.
template <class Law>
double outside_at(const Law& law, const CountTree& tree, const RankStatistic& statistic, int level, std::int64_t before,
                  std::int64_t t) {
  const std::int64_t a = statistic.numerator(), b = statistic.denominator(), top = tree.branching(0);
  Lattice sum = times(weighted(law, 2 * (b - a)), before);
  const std::int64_t inside = level > 0 ? 1 : 0;
  sum = sum_of(sum, times(weighted(law, 2 * a), top - before - inside));
  if (level == 0) return sum.outside(t);
  if (b != 2 * a) sum = sum_of(sum, weighted(law, std::abs(b - 2 * a)));
  const std::int64_t deeper = (level - 1) * (tree.branching(1) - 1) + tree.branching(1);
  return sum_of(sum, times(weighted(law, b), deeper)).outside(t);
}

// At the worst place for level 0: a boundary on each level, added up.
template <class Law>
double worst_miss(const Law& law, std::int64_t parts, std::int64_t whole, std::int64_t points, std::int64_t reach) {
  const CountTree tree = *CountTree::of(points);
  const RankStatistic statistic = *RankStatistic::quantile(parts, whole, points);
  double worst = 0;
  for (const std::int64_t before : {std::int64_t{1}, tree.branching(0) - 1}) {
    double sum = 0;
    for (int level = 0; level < tree.levels(); ++level) sum += outside_at(law, tree, statistic, level, before, reach);
    worst = std::max(worst, sum);
  }
  return worst;
}

// Never above alpha, and not far below: a reach shorter by three tenths would be too short.
TEST(TreeReach, IsEnoughAndNotMuchMoreByExactSums) {
  struct Case {
    std::int64_t parts, whole, points;
  };
  for (const Case& one : {Case{1, 2, 5}, {1, 2, 40}, {1, 4, 12}, {3, 4, 60}}) {
    const TreeReach reach = reach_of(one.parts, one.whole, one.points);
    for (const double scale : {0.3, 1.0, 4.0}) {
      const auto exact = reach.at(geometric(scale)).value().ends;
      EXPECT_LE(worst_miss(geometric(scale), one.parts, one.whole, one.points, exact), 0.05) << one.points;
      const auto normal = reach.at(gaussian(scale)).value().ends;
      EXPECT_LE(worst_miss(gaussian(scale), one.parts, one.whole, one.points, normal), 0.05) << one.points;
      if (scale < 4) continue;
      EXPECT_GT(worst_miss(geometric(scale), one.parts, one.whole, one.points, exact * 7 / 10), 0.05) << one.points;
      EXPECT_GT(worst_miss(gaussian(scale), one.parts, one.whole, one.points, normal * 7 / 10), 0.05) << one.points;
    }
  }
}

TEST(TreeReach, OfManyBoundariesIsLonger) {
  for (const std::int64_t points : {16, 1001, 200'001}) {
    const TreeReaches found = reach_of(1, 2, points).at(geometric(3)).value();
    EXPECT_GT(found.noise, found.ends);
    EXPECT_LT(found.noise, 3 * found.ends);
    const auto ranks = ranks_of(found, *RankStatistic::quantile(1, 2, points));
    EXPECT_EQ(ranks.round_up(), static_cast<double>(found.ends + found.noise) / 4);
  }
}

// The figures of docs/theory/quantile.md rest on these.
TEST(TreeReach, GrowsWithScaleAndConfidence) {
  const TreeReach usual = reach_of(9, 10, 200'001), rarer = reach_of(9, 10, 200'001, 1e-4);
  const TreeReach rarest = reach_of(9, 10, 200'001, 1e-9);
  std::int64_t before = 0, before_normal = 0;
  for (const double scale : {1e-3, 0.01, 0.1, 0.5, 1.0, 1.1, 5.0, 50.0, 1e6, 1e11}) {
    const auto ends = usual.at(geometric(scale)).value().ends, normal = usual.at(gaussian(scale)).value().ends;
    EXPECT_GE(ends, before);
    EXPECT_GE(normal, before_normal);
    EXPECT_LE(ends, rarer.at(geometric(scale)).value().ends);
    EXPECT_LE(rarer.at(geometric(scale)).value().ends, rarest.at(geometric(scale)).value().ends);
    before = ends;
    before_normal = normal;
  }
  EXPECT_GT(usual.gaussian_advantage(), 1.35);
  EXPECT_LT(usual.gaussian_advantage(), 1.55);
}

TEST(TreeReach, RefusesNoiseBeyondWhatRanksCanCount) {
  const TreeReach reach = reach_of(1, 1'000'000, 1 << 20);
  EXPECT_FALSE(reach.at(geometric(1e12)));
  EXPECT_TRUE(reach.at(geometric(1e9)));
}

}  // namespace
}  // namespace vernier::interval
