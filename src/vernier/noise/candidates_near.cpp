#include "vernier/noise/candidates_near.hpp"

namespace vernier::noise {
namespace {

// first + (first + 1) + ... + last, or 0.
std::int64_t sum_of(std::int64_t first, std::int64_t last) {
  return first > last ? 0 : (last - first + 1) * (first + last) / 2;
}

// The sum of max(v - left, right - v, 0) over v from `first` to `last`, none of which is below 0.
std::int64_t sum_of_greater(std::int64_t left, std::int64_t right, std::int64_t first, std::int64_t last) {
  const std::int64_t middle = (left + right + 1) / 2;  // from here on v - left is the greater one
  return sum_of(std::max({left, middle, first}) - left, last - left) +
         sum_of(right - std::min({right, middle - 1, last}), right - first);
}

// The point of `those`, but not of `nearer`, which are some of them, that has `place` before it.
std::int64_t point_beyond(Points nearer, Points those, std::int64_t place) {
  if (nearer.count() == 0 || place < nearer.first - those.first) return those.first + place;
  return place + those.first + nearer.count();
}

// The same of pairs: new values with any end, then known values with a new end.
std::pair<std::int64_t, std::int64_t> pair_beyond(std::pair<Points, Points> nearer, std::pair<Points, Points> those,
                                                  std::int64_t place) {
  const auto& [values, ends] = those;
  const std::int64_t with_new_value = (values.count() - nearer.first.count()) * ends.count();
  if (place < with_new_value) {
    return {point_beyond(nearer.first, values, place / ends.count()), ends.first + place % ends.count()};
  }
  const std::int64_t new_ends = ends.count() - nearer.second.count();
  const std::int64_t left = place - with_new_value;
  return {nearer.first.first + left / new_ends, point_beyond(nearer.second, ends, left % new_ends)};
}

// The value around which the candidate lies, by bisection; then how much is to either side of it.
ChosenValue around_beyond(const CandidatesNear& nearer, const CandidatesNear& those, std::int64_t place,
                          std::int64_t last) {
  const auto up_to = [&](std::int64_t value) { return those.around(value) - nearer.around(value); };
  Points found = those.values;
  while (found.first < found.last) {
    const std::int64_t middle = found.first + (found.last - found.first) / 2;
    (up_to(middle) > place ? found.last : found.first) = up_to(middle) > place ? middle : middle + 1;
  }
  const std::int64_t value = found.first;
  const Points known = nearer.values.has(value) ? nearer.margins(value) : Points{0, -1};
  const std::int64_t margin = point_beyond(known, those.margins(value), place - up_to(value - 1));
  return {std::max<std::int64_t>(value - margin, 0), value, std::min(value + margin, last)};
}

}  // namespace

Points CandidatesNear::margins(std::int64_t value) const {
  return {std::max({value - lower.last, upper.first - value, std::int64_t{0}}),
          std::max(value - lower.first, upper.last - value)};
}

// margins().count() of each value, added up.
std::int64_t CandidatesNear::around(std::int64_t value) const {
  const Points known{values.first, std::min(value, values.last)};
  if (known.count() == 0) return 0;
  return known.count() + sum_of_greater(lower.first, upper.last, known.first, known.last) -
         sum_of_greater(lower.last, upper.first, known.first, known.last);
}

ChosenValue candidate_beyond(const CandidatesNear& nearer, const CandidatesNear& those, std::int64_t place,
                             std::int64_t last) {
  const std::int64_t with_margins = those.with_margins() - nearer.with_margins();
  if (place < with_margins) return around_beyond(nearer, those, place, last);
  place -= with_margins;
  const std::int64_t with_lower_end = those.with_lower_end() - nearer.with_lower_end();
  const Points none{0, -1};
  if (place < with_lower_end) {
    const auto known = nearer.may_lack_upper ? std::pair(nearer.values, nearer.lower) : std::pair(none, none);
    const auto [value, end] = pair_beyond(known, {those.values, those.lower}, place);
    return {std::min(value, end), value, last};
  }
  const auto known = nearer.may_lack_lower ? std::pair(nearer.values, nearer.upper) : std::pair(none, none);
  const auto [value, end] = pair_beyond(known, {those.values, those.upper}, place - with_lower_end);
  return {0, value, std::max(value, end)};
}

}  // namespace vernier::noise
