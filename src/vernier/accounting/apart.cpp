#include "vernier/accounting/apart.hpp"

#include <algorithm>
#include <variant>

namespace vernier::accounting {
namespace {

template <class Kind>
bool has(std::span<const Event> events) {
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return std::holds_alternative<Kind>(event.release()); });
}

}  // namespace

std::optional<std::string_view> why_apart(const Bounds& bounds, Figure figure, std::span<const Event> events) {
  if (bounds.upper - bounds.lower <= loose * bounds.upper) return std::nullopt;
  if (figure == Figure::epsilon && bounds.upper <= least_epsilon_told)
    return "An epsilon of at most 1e-9 is not told apart from 0 any further.";
  if (figure == Figure::delta && bounds.upper <= least_delta_told)
    return "A delta of at most 1e-250 is not told apart from 0 any further.";
  if (has<ZcdpStatement>(events)) {
    return "A zCDP statement fits many releases: the upper end holds for all of them, the lower end is that of "
           "Gaussian noise, and nobody knows the worst.";
  }
  if (has<KeySelection>(events)) {
    return "A key may come out because of one unit alone: the upper end counts that chance, the lower end takes keys "
           "that others have too.";
  }
  return "The sum of these losses is not resolved more closely in the time that an answer may take; the upper end "
         "holds as it is.";
}

}  // namespace vernier::accounting
