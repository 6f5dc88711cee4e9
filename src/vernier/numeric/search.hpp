#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "vernier/core/result.hpp"

// Search for the least point at which a monotone predicate holds: false up to somewhere, true from there on. The
// predicate answers true only when it certainly holds; an undecided point counts as false. Whatever the predicate does,
// the result is a point at which it was seen to be true and whose predecessor (if any) was seen to be false, so an
// error can only be on the safe side; and the search ends after at most 130 evaluations.
namespace vernier::numeric {

struct IntegerRange {
  std::int64_t first;
  std::int64_t last;
};

namespace detail {

// The middle of first..last without overflow, nearer to first.
inline std::int64_t middle(std::int64_t first, std::int64_t last) {
  const auto width = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + width / 2);
}

// from + step or from - step, stopping at the end of the range.
inline std::int64_t up(std::int64_t from, std::uint64_t step, IntegerRange range) {
  const auto room = static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(from);
  return step >= room ? range.last : static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + step);
}
inline std::int64_t down(std::int64_t from, std::uint64_t step, IntegerRange range) {
  const auto room = static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(range.first);
  return step >= room ? range.first : static_cast<std::int64_t>(static_cast<std::uint64_t>(from) - step);
}

// `no` was seen false, `yes` was seen true, no < yes.
template <class Predicate>
std::int64_t bisect(const Predicate& holds, std::int64_t no, std::int64_t yes) {
  while (static_cast<std::uint64_t>(yes) - static_cast<std::uint64_t>(no) > 1) {
    const std::int64_t between = middle(no, yes);
    (holds(between) ? yes : no) = between;
  }
  return yes;
}

// From a point that was seen true, in growing steps downward.
template <class Predicate>
std::int64_t least_below(const Predicate& holds, std::int64_t yes, IntegerRange range) {
  for (std::uint64_t step = 1; yes > range.first; step *= 2) {
    const std::int64_t next = down(yes, step, range);
    if (!holds(next)) return bisect(holds, next, yes);
    yes = next;
  }
  return yes;
}

// Doubles in their order as integers: neighbours are neighbours, and both zeros are 0.
inline std::int64_t rank_of(double x) {
  const auto size = std::bit_cast<std::int64_t>(std::abs(x));
  return x < 0 ? -size : size;
}
inline double double_of(std::int64_t rank) {
  const double size = std::bit_cast<double>(rank < 0 ? -rank : rank);
  return rank < 0 ? -size : size;
}

}  // namespace detail

// The least integer in the range with holds(x), galloping out from the guess.
template <class Predicate>
Result<std::int64_t> least_integer(const Predicate& holds, std::int64_t guess,
                                   IntegerRange range = {std::numeric_limits<std::int64_t>::min(),
                                                         std::numeric_limits<std::int64_t>::max()}) {
  std::int64_t no = guess < range.first ? range.first : guess > range.last ? range.last : guess;
  if (holds(no)) return detail::least_below(holds, no, range);
  for (std::uint64_t step = 1; no < range.last; step *= 2) {
    const std::int64_t next = detail::up(no, step, range);
    if (holds(next)) return detail::bisect(holds, no, next);
    no = next;
  }
  return fail(ErrorKind::exhausted, "no number of the searched range satisfies the condition", "loosen the condition");
}

struct DoubleRange {
  double first = -std::numeric_limits<double>::max();
  double last = std::numeric_limits<double>::max();
};

// The least finite double in the range with holds(x), galloping out from the guess over the ordered bit patterns. A
// guess that is NaN counts as 0.
template <class Predicate>
Result<double> least_double(const Predicate& holds, double guess, DoubleRange range = {}) {
  const auto holds_at = [&](std::int64_t rank) { return holds(detail::double_of(rank)); };
  const std::int64_t start = std::isnan(guess) ? 0 : detail::rank_of(guess);
  const IntegerRange ranks{detail::rank_of(range.first), detail::rank_of(range.last)};
  return least_integer(holds_at, start, ranks).map(detail::double_of);
}

}  // namespace vernier::numeric
