#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>

#include "vernier/plan/statistic/statistic.hpp"

// Going over the list of statistics.
namespace vernier::plan {

// Whether one of them says yes, each asked as a type, in their order.
template <class Ask>
constexpr bool any_statistic(const Ask& ask) {
  return [&]<class... One>(std::type_identity<std::variant<One...>>) {
    return (ask(std::type_identity<One>()) || ...);
  }(std::type_identity<AnyStatistic>());
}

template <class One>
bool is_of(MeasurementKind kind) {
  return std::find(One::kinds.begin(), One::kinds.end(), kind) != One::kinds.end();
}

// The figure that a measure of this aggregate, or of this name, shows.
template <class One, class Is>
std::optional<Figure> shown_by(const Is& is) {
  const auto found = std::find_if(One::served.begin(), One::served.end(), is);
  return found == One::served.end() ? std::nullopt : std::optional(found->figure);
}
template <class Is>
std::optional<Figure> shown_by_any(const Is& is) {
  std::optional<Figure> found;
  any_statistic([&]<class One>(std::type_identity<One>) { return (found = shown_by<One>(is)).has_value(); });
  return found;
}
constexpr auto shows_figure(std::string_view name) {
  return [name](const Served& one) { return one.figure.name == name; };
}
constexpr auto asked_as(query::Aggregate aggregate) {
  return [aggregate](const Served& one) { return one.aggregate == aggregate; };
}

}  // namespace vernier::plan
