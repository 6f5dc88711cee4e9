#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/core/result.hpp"
#include "vernier/noise/rank_statistic.hpp"

// The ends of a quantile's interval from a tree of noisy counts: count_tree.md.
namespace vernier::noise {

__extension__ using TreeSum = __int128;

// 2 D at the boundaries between the children of one node, as the noisy counts have it: `start` before the first of
// them, and 2 * denominator more for every row.
struct Boundaries {
  TreeSum start;
  std::int64_t denominator;
  std::span<const std::int64_t> children;

  TreeSum before(std::size_t child) const;  // 2 D before this child

  // The first child behind which 2 D is at least `least`; the last child where there is none.
  std::size_t first_reaching(TreeSum least) const;
  // The last child before which 2 D is at most `most`; the first child where there is none.
  std::size_t last_within(TreeSum most) const;
};

// At the root: 2 D before everything is -2 * numerator * rows, the children adding up to the rows.
Boundaries at_root(const RankStatistic& statistic, std::span<const std::int64_t> children);

// Among the children of a child. They are moved to add up to what it has itself, by half of the difference on either
// side of a boundary.
Boundaries below(const Boundaries& above, std::size_t child, std::span<const std::int64_t> children);

// The lower end: the first point of [.., t] with 2 D(t) >= -reach. The upper end: the last point t with
// 2 D(t - 1) <= reach. In points of the grid; the lower one is never above the upper one.
template <class Tree>
Result<std::array<std::int64_t, 2>> tree_ends(Tree& tree, const RankStatistic& statistic, std::int64_t reach) {
  std::array<std::int64_t, 2> ends{};
  for (const std::size_t end : {0U, 1U}) {
    std::int64_t node = 0;
    Boundaries here{};
    std::size_t child = 0;
    for (int level = 0; level < tree.shape().levels(); ++level) {
      VERNIER_TRY(const auto children, tree.children(level, node));
      here = level == 0 ? at_root(statistic, children) : below(here, child, children);
      child = end == 0 ? here.first_reaching(-TreeSum{reach}) : here.last_within(reach);
      node = tree.shape().children(level, node).first + static_cast<std::int64_t>(child);
    }
    ends[end] = node;
  }
  return ends;
}

}  // namespace vernier::noise
