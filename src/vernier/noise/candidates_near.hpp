#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace vernier::noise {

// Lower end, value, upper end, in points of the grid; each is at least the one before.
using ChosenValue = std::array<std::int64_t, 3>;

// Neighbouring points; none where the last is before the first.
struct Points {
  std::int64_t first, last;

  std::int64_t count() const { return std::max<std::int64_t>(last - first + 1, 0); }
  bool has(std::int64_t point) const { return first <= point && point <= last; }
};

// All candidates of a choice of a value that are at most so far from what is wanted (value_choice.md, section 3): a
// value with as much to either side of it, from the last point of `lower` to the first of `upper` at least, and not
// beyond both the first of `lower` and the last of `upper`; or a value with one end out of these, where the other one
// is that of the grid.
struct CandidatesNear {
  std::int64_t distance;
  Points values;
  Points lower, upper;          // what the ends may be
  bool may_lack_upper = false;  // a value with a lower end alone is a candidate, too
  bool may_lack_lower = false;  // and one with an upper end alone

  // How much there may be to either side of a value: from the first to the last.
  Points margins(std::int64_t value) const;

  // Candidates with margins around the values up to this one.
  std::int64_t around(std::int64_t value) const;

  std::int64_t with_margins() const { return around(values.last); }
  std::int64_t with_lower_end() const { return may_lack_upper ? values.count() * lower.count() : 0; }
  std::int64_t with_upper_end() const { return may_lack_lower ? values.count() * upper.count() : 0; }
  std::int64_t count() const { return with_margins() + with_lower_end() + with_upper_end(); }
};

// No candidates.
inline constexpr CandidatesNear no_candidates{0, {0, -1}, {0, -1}, {0, -1}};

// The candidate among `those`, but not among `nearer`, which are some of them, that has `place` before it; `last` is
// the last point of the grid.
ChosenValue candidate_beyond(const CandidatesNear& nearer, const CandidatesNear& those, std::int64_t place,
                             std::int64_t last);

}  // namespace vernier::noise
