#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/noise/count_tree.hpp"
#include "vernier/noise/rank_runs.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::noise {

// How many rows lie before a point; wiped when it goes.
class RowsBefore {
 public:
  explicit RowsBefore(std::span<const Occupied> rows);  // by ascending point
  RowsBefore(const RowsBefore&) = delete;
  RowsBefore& operator=(const RowsBefore&) = delete;

  std::int64_t operator()(std::int64_t point) const;

 private:
  std::span<const Occupied> rows_;
  random::Wiped<std::int64_t> before_;  // rows at the points before each of these
};

// A count with noise for every node of a tree, each drawn when it is first looked at, and once: whoever looks again
// sees the same, as if all had been drawn before. `Fill` fills a span with independent noise of one law, and says
// whether it could.
template <class Fill>
class NoisyTree {
 public:
  NoisyTree(const CountTree& tree, std::span<const Occupied> rows, Fill fill)
      : tree_(tree), before_(rows), fill_(std::move(fill)) {}

  const CountTree& shape() const { return tree_; }

  // The noisy counts of the children of a node; they stay where they are.
  Result<std::span<const std::int64_t>> children(int level, std::int64_t parent) {
    const auto [found, is_new] = nodes_.try_emplace({level, parent});
    if (!is_new) return std::span<const std::int64_t>(found->second);
    const CountTree::Children children = tree_.children(level, parent);
    found->second.resize(static_cast<std::size_t>(children.count()));
    const Result<void> filled = fill_(std::span<std::int64_t>(found->second));
    if (!filled) {
      nodes_.erase(found);  // nobody may find counts without noise, or zeros, in its place
      return Failure(filled.error());
    }
    for (std::int64_t i = 0; i < children.count(); ++i) {
      const std::int64_t node = children.first + i;
      found->second[static_cast<std::size_t>(i)] +=
          before_(tree_.end_point(level, node)) - before_(tree_.first_point(level, node));
    }
    return std::span<const std::int64_t>(found->second);
  }

 private:
  CountTree tree_;
  RowsBefore before_;
  Fill fill_;
  std::map<std::pair<int, std::int64_t>, std::vector<std::int64_t>> nodes_;
};

// The ends of a quantile's interval from a tree of noisy counts: count_tree.md.
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
