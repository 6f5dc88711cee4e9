#include <algorithm>

#include "vernier/query/expression/node.hpp"

// Comparisons, the logic of three values, and choices among values.
namespace vernier::query {
namespace {

Expression::Node truth(Operation operation, std::vector<Expression> operands, bool nullable) {
  return {.operation = operation,
          .type = Type::boolean,
          .span = std::monostate{},
          .nullable = nullable,
          .operands = std::move(operands)};
}

Result<void> expect_condition(const Expression& x) {
  if (x.type() == Type::boolean && !is_null_literal(x)) return {};
  const std::string found = is_null_literal(x) ? "NULL" : a(x.type());
  return invalid("a condition is needed here, such as age >= 18, and this is " + found);
}

bool is_value(std::size_t place, std::size_t size) { return place % 2 == 1 || place + 1 == size; }

std::vector<Expression> values_of_case(const std::vector<Expression>& operands) {
  std::vector<Expression> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (is_value(i, operands.size())) values.push_back(operands[i]);
  }
  return values;
}

Result<void> check_conditions(const std::vector<Expression>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (is_value(i, operands.size())) continue;
    if (const Result<void> checked = expect_condition(operands[i]); !checked) return checked;
  }
  return {};
}

// One of these values: their type and the least span that holds them.
Expression::Node one_of(Operation operation, const std::vector<Expression>& values) {
  const auto first = std::find_if_not(values.begin(), values.end(), is_null_literal);
  Expression::Node node{
      .operation = operation, .type = first->type(), .span = first->span(), .bounded = first->bounded()};
  for (auto x = first; x != values.end(); ++x) {
    if (is_null_literal(*x)) continue;
    node.span = hull(node.span, x->span());
    node.bounded = node.bounded && x->bounded();
  }
  return node;
}

Result<std::vector<Expression>> unified_values(std::vector<Expression> values) {
  if (std::all_of(values.begin(), values.end(), is_null_literal)) {
    return invalid("every value here is NULL", "give one that is not");
  }
  return unified(std::move(values));
}

Result<Expression> choose_case(std::vector<Expression> operands) {
  VERNIER_TRY(check_conditions(operands));
  VERNIER_TRY(const std::vector<Expression> values, unified_values(values_of_case(operands)));
  std::size_t next = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (is_value(i, operands.size())) operands[i] = values[next++];
  }
  Expression::Node node = one_of(Operation::case_when, values);
  node.nullable = any_nullable(values);
  node.operands = std::move(operands);
  return finished(std::move(node));
}

Result<Expression> choose_first(std::vector<Expression> operands) {
  VERNIER_TRY(std::vector<Expression> values, unified_values(std::move(operands)));
  Expression::Node node = one_of(Operation::coalesce, values);
  node.nullable = std::all_of(values.begin(), values.end(), [](const Expression& x) { return x.nullable(); });
  node.operands = std::move(values);
  return finished(std::move(node));
}

Result<Expression> unless_equal(std::vector<Expression> operands) {
  if (std::any_of(operands.begin(), operands.end(), is_null_literal)) {
    return invalid("NULLIF with NULL changes nothing", "leave it out");
  }
  VERNIER_TRY(std::vector<Expression> values, unified(std::move(operands)));
  Expression::Node node = one_of(Operation::null_if, {values.front()});
  node.operands = std::move(values);
  return finished(std::move(node));
}

// (a AND b) AND c as a AND b AND c: one form for what means the same.
std::vector<Expression> flattened(Operation operation, const std::vector<Expression>& operands) {
  if (operation == Operation::logical_not) return operands;
  std::vector<Expression> flat;
  for (const Expression& x : operands) {
    if (x.operation() == operation) {
      flat.insert(flat.end(), x.operands().begin(), x.operands().end());
    } else {
      flat.push_back(x);
    }
  }
  return flat;
}

// NOT of a comparison is the opposite comparison, in the logic of three values too.
std::optional<Operation> opposite(Operation operation) {
  switch (operation) {
    case Operation::equal:
      return Operation::not_equal;
    case Operation::not_equal:
      return Operation::equal;
    case Operation::less:
      return Operation::greater_equal;
    case Operation::less_equal:
      return Operation::greater;
    case Operation::greater:
      return Operation::less_equal;
    case Operation::greater_equal:
      return Operation::less;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<Expression> comparison(Operation operation, std::vector<Expression> operands) {
  if (std::any_of(operands.begin(), operands.end(), is_null_literal)) {
    return invalid("a comparison with NULL is never true", "write x IS NULL or x IS NOT NULL");
  }
  VERNIER_TRY(std::vector<Expression> same, unified(std::move(operands)));
  const bool nullable = any_nullable(same);
  return finished(truth(operation, std::move(same), nullable));
}

Result<Expression> logic(Operation operation, std::vector<Expression> operands) {
  if (operation == Operation::is_null) {
    if (is_null_literal(operands.front())) return invalid("NULL IS NULL is always true", "leave it out");
    return finished(truth(operation, std::move(operands), false));
  }
  for (const Expression& x : operands) {
    VERNIER_TRY(expect_condition(x));
  }
  if (operation == Operation::logical_not) {
    const Expression& inner = operands.front();
    if (const auto other = opposite(inner.operation()))
      return finished(truth(*other, inner.operands(), inner.nullable()));
  }
  const bool nullable = any_nullable(operands);
  return finished(truth(operation, flattened(operation, operands), nullable));
}

Result<Expression> choice(Operation operation, std::vector<Expression> operands) {
  if (operation == Operation::case_when) return choose_case(std::move(operands));
  if (operation == Operation::coalesce) return choose_first(std::move(operands));
  return unless_equal(std::move(operands));
}

// Whether bounds have changed a row.
namespace {

void collect(const Expression& x, std::vector<Expression>& found) {
  if (can_be_moved(x) && std::find(found.begin(), found.end(), x) == found.end()) found.push_back(x);
  for (const Expression& operand : x.operands()) collect(operand, found);
}

}  // namespace

std::vector<Expression> clampable(const Expression& x) {
  std::vector<Expression> found;
  collect(x, found);
  return found;
}

namespace {

// Of the conditions that tell what was chosen, and of each place that can be moved.
std::size_t weight_of_moved(const Expression& x) {
  std::size_t weight = can_be_moved(x) ? x.weight() : 0;
  for (const Expression& operand : x.operands()) {
    weight += weight_of_moved(operand) + (is_choice(x) ? operand.weight() + 1 : 0);
  }
  return weight;
}

}  // namespace

// The SQL has the operand once, and of each place less than the place itself has.
Result<Expression> was_clamped(std::vector<Expression> operands) {
  if (clampable(operands.front()).empty()) {
    return invalid("nothing in it can be moved to a bound", "name a column with declared bounds, or write CLAMP");
  }
  Expression::Node node{.operation = Operation::is_clamped,
                        .type = Type::boolean,
                        .span = std::monostate{},
                        .nullable = false,
                        .operands = std::move(operands)};
  node.weight += weight_of_moved(node.operands.front());
  return finished(std::move(node));
}

}  // namespace vernier::query
