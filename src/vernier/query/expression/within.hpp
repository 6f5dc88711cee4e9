#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/query/expression/expression.hpp"

// What is known of a row for which a condition is true: by this two statements are proved to have no row in common.
// within.md has the argument.
namespace vernier::query {

// Where a range begins or ends, and whether that value is in it.
struct RangeEnd {
  Value value;
  bool is_inside = true;

  friend bool operator==(const RangeEnd&, const RangeEnd&) = default;
};

// Values of one type between two ends; a missing end is no limit.
struct ValueSpan {
  std::optional<RangeEnd> lower = {};
  std::optional<RangeEnd> upper = {};

  friend bool operator==(const ValueSpan&, const ValueSpan&) = default;
};

// Wherever the condition is true, the expression is NULL, if it may be, or lies in one of the ranges.
struct Within {
  std::string expression;  // its canonical text
  Type type = Type::boolean;
  bool may_be_null = false;
  std::vector<ValueSpan> ranges = {};

  friend bool operator==(const Within&, const Within&) = default;
};

// Of every expression that the condition compares with constants, each once. What it says in another way is left out:
// fewer rows may satisfy it, never more.
std::vector<Within> within(const Expression& condition);

// Whether no row can satisfy both: some expression would have to have two values.
bool exclude_each_other(const std::vector<Within>& a, const std::vector<Within>& b);

}  // namespace vernier::query
