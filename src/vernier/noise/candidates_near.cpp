#include "vernier/noise/candidates_near.hpp"

namespace vernier::noise {
namespace {

ChosenValue cut_off(std::int64_t value, std::int64_t margin, Sides sides, std::int64_t last_point) {
  return {sides == Sides::upper ? 0 : std::max<std::int64_t>(value - margin, 0), value,
          sides == Sides::lower ? last_point : std::min(value + margin, last_point)};
}

}  // namespace

bool CandidatesNear::has(Sides sides) const {
  if (values.count() == 0) return false;
  return sides == Sides::both || (sides == Sides::lower ? may_lack_upper : may_lack_lower);
}

// The smallest margin that reaches far enough from some value, to the largest of which a smaller one would not have.
PointRange CandidatesNear::places(Sides sides, const Margins& margins) const {
  const std::int64_t to_lower = values.first - lower.last, to_upper = upper.first - values.last;
  const std::int64_t from_lower = values.last - lower.first, from_upper = upper.last - values.first;
  const bool has_lower = sides != Sides::upper, has_upper = sides != Sides::lower;
  const std::int64_t least = std::max(has_lower ? to_lower : 0, has_upper ? to_upper : 0);
  const std::int64_t most = std::max(has_lower ? from_lower : 0, has_upper ? from_upper : 0);
  return {margins.first_from(least), std::min(margins.first_from(most), margins.count() - 1)};
}

std::int64_t CandidatesNear::values_up_to(std::int64_t value, Sides sides, const Margins& margins,
                                          std::int64_t place) const {
  if (!has(sides)) return 0;
  const std::int64_t margin = margins[place], beyond_smaller = margins.beyond_smaller(place);
  const PointRange near = values.up_to(value);
  const PointRange reaching_lower = near.within({near.first, lower.last + margin});
  const PointRange reaching_upper = near.within({upper.first - margin, near.last});
  const PointRange not_past_lower{lower.first + beyond_smaller, near.last};
  const PointRange not_past_upper{near.first, upper.last - beyond_smaller};
  if (sides == Sides::lower) return reaching_lower.within(not_past_lower).count();
  if (sides == Sides::upper) return reaching_upper.within(not_past_upper).count();
  const PointRange reaching = reaching_lower.within(reaching_upper);
  return reaching.within(not_past_lower).count() + reaching.within(not_past_upper).count() -
         reaching.within(not_past_lower).within(not_past_upper).count();
}

std::int64_t CandidatesNear::count(const Margins& margins) const {
  std::int64_t count = 0;
  for (const Sides sides : all_sides) {
    if (!has(sides)) continue;
    const PointRange range = places(sides, margins);
    for (std::int64_t place = range.first; place <= range.last; ++place) {
      count += values_up_to(values.last, sides, margins, place);
    }
  }
  return count;
}

CandidatesNear all_candidates(std::int64_t distance, std::int64_t last_point) {
  return {distance, {0, last_point}, {-last_point - 1, last_point}, {0, 2 * last_point + 1}, true, true};
}

// By sides, then by margin, then by value, which is found by bisection.
ChosenValue candidate_beyond(const CandidatesNear& nearer, const CandidatesNear& those, std::int64_t place,
                             const Margins& margins, std::int64_t last_point) {
  for (const Sides sides : all_sides) {
    for (std::int64_t i = 0; i < margins.count(); ++i) {
      const auto up_to = [&](std::int64_t value) {
        return those.values_up_to(value, sides, margins, i) - nearer.values_up_to(value, sides, margins, i);
      };
      const std::int64_t values = up_to(last_point);
      if (place >= values) {
        place -= values;
        continue;
      }
      PointRange found = those.values;
      while (found.first < found.last) {
        const std::int64_t middle = found.first + (found.last - found.first) / 2;
        (up_to(middle) > place ? found.last : found.first) = up_to(middle) > place ? middle : middle + 1;
      }
      return cut_off(found.first, margins[i], sides, last_point);
    }
  }
  return cut_off(0, last_point, Sides::both, last_point);  // not reached: there are no more places than candidates
}

}  // namespace vernier::noise
