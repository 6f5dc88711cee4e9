#pragma once

#include <optional>
#include <utility>

#include "vernier/query/expression/expression.hpp"

// What the files that build expressions share.
namespace vernier::query {

struct Expression::Node {
  Operation operation;
  Type type;
  Span span;
  bool nullable = true;
  bool bounded = true;
  bool guarded = false;
  std::vector<Expression> operands = {};
  std::variant<std::monostate, std::string, Value, DatePart> detail = {};
  std::size_t weight = 1;  // before finished(): without the operands
  std::size_t depth = 1;
};

// Copies of one of its operands that the SQL of an operation may hold, over all dialects.
std::size_t copies(const Expression::Node& node, std::size_t operand);

// Weighs the node; refuses one that is too heavy or too deep.
Result<Expression> finished(Expression::Node node);

bool any_nullable(const std::vector<Expression>& operands);
bool all_bounded(const std::vector<Expression>& operands);

inline bool is_null_literal(const Expression& x) { return x.operation() == Operation::null; }
inline bool is_number(Type type) { return type == Type::integer || type == Type::real; }
inline const IntegerSpan& integers(const Expression& x) { return std::get<IntegerSpan>(x.span()); }
inline const RealSpan& reals(const Expression& x) { return std::get<RealSpan>(x.span()); }

// Whether a value of it may lie outside of its bounds and be moved to the nearer one.
inline bool can_be_moved(const Expression& x) {
  if (x.operation() == Operation::clamp) return true;
  return x.operation() == Operation::column && x.bounded() && x.type() != Type::boolean;
}

// Whether it is one of its operands, as its conditions or NULLs say.
inline bool is_choice(const Expression& x) {
  return x.operation() == Operation::case_when || x.operation() == Operation::coalesce;
}

// "a string", "an integer".
std::string a(Type type);

// All of one type, by the casts that apply() promises.
Result<std::vector<Expression>> unified(std::vector<Expression> operands);

// One per family of operations; the operands are there in the right number.
Result<Expression> arithmetic(Operation operation, std::vector<Expression> operands);
Result<Expression> rounding(Operation operation, std::vector<Expression> operands);
Result<Expression> logic(Operation operation, std::vector<Expression> operands);
Result<Expression> comparison(Operation operation, std::vector<Expression> operands);
Result<Expression> choice(Operation operation, std::vector<Expression> operands);
Result<Expression> clamped(std::vector<Expression> operands);
Result<Expression> was_clamped(std::vector<Expression> operands);
Result<Expression> of_text(Operation operation, std::vector<Expression> operands);
Result<Expression> days_apart(std::vector<Expression> operands);
Result<Expression> days_later(std::vector<Expression> operands);
Result<Expression> bucketed(std::vector<Expression> operands);
Result<Expression> of_real(Operation operation, const Expression& x);
Result<Expression> place_of_part(std::vector<Expression> operands);
Result<Expression> with_part_replaced(std::vector<Expression> operands);

// Whether it is a time, or one that went by; and what becomes of such among the operands, or behind a cast
// (moment.hpp).
bool is_moment(const Expression& x);
Result<Expression> as_moment(Operation operation, const Expression& x);
Result<Expression> of_moments(Operation operation, std::vector<Expression> operands);
Result<Expression> cast_of_moment(const Expression& x, Type type);

}  // namespace vernier::query
