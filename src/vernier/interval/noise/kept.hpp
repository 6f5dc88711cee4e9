#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

// How far down what a test keeps of a rectangle reaches along one of its sides, found box by box from below, so that
// everything beneath has been rejected, whatever the shape of what is kept.
namespace vernier::interval {

// All pairs of an x and a y between these, ends included.
struct Box {
  double x_first, x_last;
  double y_first, y_last;
};

// What a test says of a box.
struct Trial {
  bool is_rejected;  // true only when every pair of the box is
  bool is_small;     // not worth halving
  bool is_wide;      // to be halved in x, else in y
  double distance;   // of boxes that begin at the same y the one with the least is tried first
};

// So many boxes are tried before what is left counts as kept.
inline constexpr int most_boxes = 4000;

namespace detail {

struct Candidate {
  Box box;
  Trial trial;
  bool operator<(const Candidate& other) const {  // the queue brings the greatest first
    if (box.y_first != other.box.y_first) return box.y_first > other.box.y_first;
    return trial.distance > other.trial.distance;
  }
};

struct Halves {
  Box first, second;
};
inline Halves halved(const Box& box, bool in_x) {
  const double x = box.x_first + (box.x_last - box.x_first) / 2, y = box.y_first + (box.y_last - box.y_first) / 2;
  if (in_x) return {{box.x_first, x, box.y_first, box.y_last}, {x, box.x_last, box.y_first, box.y_last}};
  return {{box.x_first, box.x_last, box.y_first, y}, {box.x_first, box.x_last, y, box.y_last}};
}

}  // namespace detail

// A y that no pair which the test keeps lies below; none when all of the box is rejected. `test(box)` gives a Trial.
template <class Test>
std::optional<double> least_kept(const Test& test, const Box& all) {
  std::priority_queue<detail::Candidate> open;
  const auto add = [&](const Box& box) {
    const Trial trial = test(box);
    if (!trial.is_rejected) open.push({box, trial});
  };
  add(all);
  for (int trials = 1; !open.empty(); trials += 2) {
    const detail::Candidate next = open.top();
    if (next.trial.is_small || trials >= most_boxes) return next.box.y_first;
    open.pop();
    const detail::Halves halves = detail::halved(next.box, next.trial.is_wide);
    add(halves.first);
    add(halves.second);
  }
  return std::nullopt;
}

// ---- the hull of what a test keeps of [0, 1], looked for from outside inward, so that everything beyond it has been
// rejected, whatever the shape of what is kept. (Bisecting outward from an estimate misses what lies beyond a gap.)

// Numbers of [0, 1] in units of 2^-60.
using Fraction = std::int64_t;
inline constexpr int fraction_bits = 60;
inline constexpr Fraction one = Fraction{1} << fraction_bits;

// All numbers from first to last, both included.
struct Cell {
  Fraction first, last;
};

// So many cells are tried from either side before what is left counts as kept.
inline constexpr int most_trials = 4000;

// Both ends belong to it.
struct Hull {
  Fraction low, high;
};

namespace detail {

inline Cell mirrored(Cell cell) { return {one - cell.last, one - cell.first}; }

// The first point of the first cell that is not rejected, cells being halved down to the resolution.
template <class Rejects>
std::optional<Fraction> first_kept(const Rejects& rejects, Cell cell, Fraction resolution, int& trials) {
  if (trials-- <= 0) return cell.first;
  if (rejects(cell)) return std::nullopt;
  const Fraction width = cell.last - cell.first;
  if (width <= resolution) return cell.first;
  const Fraction middle = cell.first + width / 2;
  if (const auto left = first_kept(rejects, {cell.first, middle}, resolution, trials)) return left;
  return first_kept(rejects, {middle, cell.last}, resolution, trials);
}

}  // namespace detail

// `rejects(cell)` is true only when every number of the cell is rejected. None when all of [0, 1] is. Cells are halved
// while they are longer than the resolution, a power of two. The same from both sides, so a mirrored test has the
// mirrored hull.
template <class Rejects>
std::optional<Hull> kept_hull(const Rejects& rejects, Fraction resolution) {
  int trials = most_trials;
  const auto low = detail::first_kept(rejects, {0, one}, resolution, trials);
  if (!low) return std::nullopt;
  trials = most_trials;
  const auto mirrored = [&](Cell cell) { return rejects(detail::mirrored(cell)); };
  const auto high = detail::first_kept(mirrored, {0, one}, resolution, trials);
  return high ? Hull{*low, one - *high} : Hull{*low, one};
}

}  // namespace vernier::interval
