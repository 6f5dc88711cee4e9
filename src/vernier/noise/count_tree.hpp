#pragma once

#include <array>
#include <cstdint>

#include "vernier/core/result.hpp"

// Counts of the points 0 .. points - 1 of a grid in a tree: count_tree.md.
namespace vernier::noise {

// Its shape, which follows from the number of points alone. Level 0 has a few wide nodes, every deeper level divides
// each of them into equal parts, the last one into single points. Nodes that would lie behind the grid are left out.
class CountTree {
 public:
  static constexpr int most_levels = 10;

  static Result<CountTree> of(std::int64_t points);  // from 2 to 2^20
  std::int64_t points() const { return points_; }
  int levels() const { return levels_; }
  std::int64_t branching(int level) const { return level == 0 ? top_ : branching_; }  // children of a node, at most

  // Children are numbered from the left over the whole level. Those of the root, 0, are the nodes of level 0.
  struct Children {
    std::int64_t first, end;
    std::int64_t count() const { return end - first; }
  };
  Children children(int level, std::int64_t parent) const;

  std::int64_t first_point(int level, std::int64_t node) const { return node * width_[place(level)]; }
  std::int64_t end_point(int level, std::int64_t node) const;

 private:
  CountTree(std::int64_t points, int levels, std::int64_t top, std::int64_t branching);
  static std::size_t place(int level) { return static_cast<std::size_t>(level); }

  std::int64_t points_;
  int levels_;
  std::int64_t top_, branching_;
  std::array<std::int64_t, most_levels> width_{};  // of each level: points of a node
};

}  // namespace vernier::noise
