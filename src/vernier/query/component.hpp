#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "vernier/query/query.hpp"

// Principal components of several columns. Of an aggregation over them the fraction is the number of the component over
// 1, the greatest first: COVAR_SAMP is then the eigenvalue of the covariance matrix, REGR_R2 the share that it
// explains.
namespace vernier::query {

struct ComponentFunction {
  std::string_view sql, spelling;
  Aggregate aggregate;
};
inline constexpr std::array component_functions = {
    ComponentFunction{"COMPONENT_VARIANCE", "component_variance", Aggregate::covariance_sample},
    ComponentFunction{"COMPONENT_SHARE", "component_share", Aggregate::regression_determination}};

constexpr std::optional<Aggregate> component_spelled(std::string_view name) {
  for (const ComponentFunction& one : component_functions) {
    if (one.spelling == name) return one.aggregate;
  }
  return std::nullopt;
}

inline bool is_component(const Aggregation& one) { return one.other.has_value() && one.fraction.whole == 1; }

// As a statement asks for it; `one` is of a component.
constexpr std::string_view name_of_component(Aggregate aggregate) {
  return component_functions[aggregate == Aggregate::covariance_sample ? 0 : 1].sql;
}

}  // namespace vernier::query
