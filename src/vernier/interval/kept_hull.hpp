#pragma once

#include <cstdint>
#include <optional>

// The hull of what a test keeps of [0, 1], looked for from outside inward, so that everything beyond it has been
// rejected, whatever the shape of what is kept. (Bisecting outward from an estimate misses what lies beyond a gap.)
namespace vernier::interval {

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
