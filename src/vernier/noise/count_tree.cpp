#include "vernier/noise/count_tree.hpp"

#include <algorithm>
#include <string>

#include "vernier/noise/rank_statistic.hpp"

namespace vernier::noise {
namespace {

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// base^exponent, or something beyond the largest grid.
std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t found = 1;
  for (int i = 0; i < exponent && found <= most_rank_points; ++i) found *= base;
  return found;
}

struct Shape {
  int levels;
  std::int64_t top, branching;

  // h^2 times four times the variance of a boundary, for a fraction near an end: with h levels a budget buys noise that
  // is h times as wide, and a node of level 0 weighs about three times as much as another.
  std::int64_t cost() const { return std::int64_t{levels} * levels * (3 * top + (levels - 1) * branching); }
};

// The least branching below level 0 with a third of it, or less, at level 0.
Shape shape_of(std::int64_t points, int levels) {
  if (levels == 1) return {1, points, 1};
  std::int64_t branching = 2;
  while (std::max<std::int64_t>(divided_up(branching, 3), 2) * power(branching, levels - 1) < points) ++branching;
  return {levels, divided_up(points, power(branching, levels - 1)), branching};
}

Shape best_shape(std::int64_t points) {
  Shape best = shape_of(points, 1);
  for (int levels = 2; levels <= CountTree::most_levels; ++levels) {
    const Shape one = shape_of(points, levels);
    if (one.cost() < best.cost()) best = one;
  }
  return best;
}

}  // namespace

CountTree::CountTree(std::int64_t points, int levels, std::int64_t top, std::int64_t branching)
    : points_(points), levels_(levels), top_(top), branching_(branching) {
  for (int level = 0; level < levels; ++level) width_[place(level)] = power(branching, levels - 1 - level);
}

Result<CountTree> CountTree::of(std::int64_t points) {
  if (points < 2 || points > most_rank_points) {
    return invalid("the grid of a quantile has from 2 to 2^20 points, but it has " + std::to_string(points));
  }
  const Shape best = best_shape(points);
  return CountTree(points, best.levels, best.top, best.branching);
}

CountTree::Children CountTree::children(int level, std::int64_t parent) const {
  const std::int64_t nodes = divided_up(points_, width_[place(level)]);  // of the level
  if (level == 0) return {0, nodes};
  return {parent * branching_, std::min((parent + 1) * branching_, nodes)};
}

std::int64_t CountTree::end_point(int level, std::int64_t node) const {
  return std::min((node + 1) * width_[place(level)], points_);
}

}  // namespace vernier::noise
