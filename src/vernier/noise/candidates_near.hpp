#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "vernier/noise/rank_statistic.hpp"

namespace vernier::noise {

// Lower end, value, upper end, in points of the grid; each is at least the one before.
using ChosenValue = std::array<std::int64_t, 3>;

// Neighbouring points; none where the last is before the first.
struct PointRange {
  std::int64_t first, last;

  std::int64_t count() const { return std::max<std::int64_t>(last - first + 1, 0); }
  PointRange up_to(std::int64_t point) const { return {first, std::min(last, point)}; }
  PointRange within(PointRange other) const { return {std::max(first, other.first), std::min(last, other.last)}; }
};

// What a candidate has beside its value: as much to either side of it, or one end, the other being that of the grid.
enum class Sides : std::uint8_t { both, lower, upper };
inline constexpr std::array all_sides{Sides::both, Sides::lower, Sides::upper};

// All candidates of a choice of a value that are at most so far from what is wanted (value_choice.md, section 3). Their
// intervals reach from the last point of `lower` to the first of `upper` at least, as far as they have both sides; and
// intervals with the next smaller margin do not pass both the first of `lower` and the last of `upper`.
struct CandidatesNear {
  std::int64_t distance;
  PointRange values;
  PointRange lower, upper;
  bool may_lack_upper, may_lack_lower;  // whether candidates with one side count

  std::int64_t count(const Margins& margins) const;

  // The values up to this one that go with a margin.
  std::int64_t values_up_to(std::int64_t value, Sides sides, const Margins& margins, std::int64_t place) const;

 private:
  bool has(Sides sides) const;
  PointRange places(Sides sides, const Margins& margins) const;  // of all margins with values, and perhaps some without
};

// No candidates, and all that there are on a grid.
inline constexpr CandidatesNear no_candidates{0, {0, -1}, {0, -1}, {0, -1}, false, false};
CandidatesNear all_candidates(std::int64_t distance, std::int64_t last_point);

// The candidate among `those`, but not among `nearer`, which are some of them, that has `place` before it.
ChosenValue candidate_beyond(const CandidatesNear& nearer, const CandidatesNear& those, std::int64_t place,
                             const Margins& margins, std::int64_t last_point);

}  // namespace vernier::noise
