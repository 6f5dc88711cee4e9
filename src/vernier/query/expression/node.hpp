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

// Copies of its operands that the SQL of an operation may hold, over all dialects.
std::size_t copies(const Expression::Node& node);

// Weighs the node; refuses one that is too heavy or too deep.
Result<Expression> finished(Expression::Node node);

bool any_nullable(const std::vector<Expression>& operands);
bool all_bounded(const std::vector<Expression>& operands);

inline bool is_null_literal(const Expression& x) { return x.operation() == Operation::null; }
inline bool is_number(Type type) { return type == Type::integer || type == Type::real; }
inline const IntegerSpan& integers(const Expression& x) { return std::get<IntegerSpan>(x.span()); }
inline const RealSpan& reals(const Expression& x) { return std::get<RealSpan>(x.span()); }

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
Result<Expression> bucketed(std::vector<Expression> operands);

}  // namespace vernier::query
