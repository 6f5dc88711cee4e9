#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vernier/noise/count_tree.hpp"
#include "vernier/noise/rank_runs.hpp"
#include "vernier/random/wiped.hpp"

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

}  // namespace vernier::noise
