#include "vernier/query/expression_node.hpp"

#include <algorithm>

#include "vernier/query/calendar.hpp"

namespace vernier::query {
namespace {

// Text that stands among dates: a literal is read as a date, once and for all rows.
Result<Expression> as_date(const Expression& x) {
  if (x.operation() != Operation::literal) {
    return invalid("a date and a string do not go together; write CAST(... AS DATE) around the string");
  }
  const std::optional<Day> day = read_day(std::get<std::string>(x.value()));
  if (!day) return invalid("text beside a date must be a day such as '2020-02-29'");
  return literal(*day);
}

Result<Expression> as_type(const Expression& x, Type type) {
  if (is_null_literal(x)) return null_of(type);
  if (x.type() == type) return x;
  if (is_number(x.type()) && is_number(type)) return cast(x, type);
  if (x.type() == Type::string && type == Type::date) return as_date(x);
  return invalid(a(type) + " and " + a(x.type()) + " do not go together; CAST one of them");
}

// Integers give way to reals, and text to dates.
Type common_type(const std::vector<Expression>& operands) {
  std::optional<Type> type;
  for (const Expression& x : operands) {
    if (is_null_literal(x)) continue;
    const bool gives_way = type && ((*type == Type::integer && x.type() == Type::real) ||
                                    (*type == Type::string && x.type() == Type::date));
    if (!type || gives_way) type = x.type();
  }
  return type.value_or(Type::integer);
}

}  // namespace

std::size_t copies(const Expression::Node& node) {
  using enum Operation;
  switch (node.operation) {
    case clamp:
    case Operation::cast:
      return 3;
    case divide:
    case divide_truncated:
    case Operation::remainder:
    case null_if:
    case bucket:
    case absolute:
      return node.guarded ? 4 : 2;
    default:
      return node.guarded ? 2 : 1;
  }
}

Result<Expression> finished(Expression::Node node) {
  std::size_t weight = 0;
  for (const Expression& x : node.operands) {
    weight += x.weight();
    node.depth = std::max(node.depth, x.depth() + 1);
  }
  node.weight += copies(node) * weight;
  if (node.weight > greatest_weight || node.depth > greatest_depth) {
    return invalid("the expression is nested too deeply; write a shorter one, with CLAMP around its inner parts");
  }
  return Expression(std::make_shared<Expression::Node>(std::move(node)));
}

bool any_nullable(const std::vector<Expression>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Expression& x) { return x.nullable(); });
}

bool all_bounded(const std::vector<Expression>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Expression& x) { return x.bounded(); });
}

std::string a(Type type) { return (type == Type::integer ? "an " : "a ") + std::string(name_of(type)); }

Result<std::vector<Expression>> unified(std::vector<Expression> operands) {
  const Type type = common_type(operands);
  for (Expression& x : operands) {
    VERNIER_TRY(const Expression same, as_type(x, type));
    x = same;
  }
  return operands;
}

}  // namespace vernier::query
