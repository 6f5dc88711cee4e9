#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "vernier/query/expression/node.hpp"

// What the values of an expression may be, as far as it decides how they are written in SQL.
namespace vernier::query {

inline bool is_wide(const Expression& x) {
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  return span != nullptr && x.operation() != Operation::null && !is_narrow(*span);
}

inline bool any_wide(const std::vector<Expression>& operands) {
  return std::any_of(operands.begin(), operands.end(), is_wide);
}

// 2^63 is the one remainder's quotient that 64 bits do not hold.
inline bool needs_wide(const Expression& x) {
  if (x.type() != Type::integer) return false;
  const bool least =
      x.operation() == Operation::remainder && std::get<IntegerSpan>(x.operands().front().span()).lower <= INT64_MIN;
  return is_wide(x) || any_wide(x.operands()) || least;
}

inline std::pair<Value, Value> ends_of(const Span& span) {
  if (const auto* const ends = std::get_if<IntegerSpan>(&span)) {
    return {static_cast<std::int64_t>(ends->lower), static_cast<std::int64_t>(ends->upper)};
  }
  if (const auto* const ends = std::get_if<RealSpan>(&span)) return {ends->lower, ends->upper};
  return {std::get<DaySpan>(span).lower, std::get<DaySpan>(span).upper};
}

inline bool may_be_zero(const Expression& x) {
  if (const auto* const span = std::get_if<IntegerSpan>(&x.span())) return span->lower <= 0 && span->upper >= 0;
  return touches_zero(std::get<RealSpan>(x.span()));
}

// Whether some of its values are nearer to 0 than counts, and are not 0. Whole numbers are not.
inline bool may_be_tiny(const Expression& x) {
  using enum Operation;
  if (x.operation() == Operation::literal && std::get<double>(x.value()) == 0) return false;
  if (x.operation() == Operation::cast && x.operands().front().type() != Type::string) return false;
  if (x.operation() == floor || x.operation() == ceil || x.operation() == round) return false;
  return touches_zero(std::get<RealSpan>(x.span()));
}

}  // namespace vernier::query
