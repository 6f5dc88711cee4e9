#include <algorithm>

#include "vernier/query/expression_node.hpp"

// Whether bounds have changed a row.
namespace vernier::query {
namespace {

bool can_move(const Expression& x) {
  if (x.operation() == Operation::clamp) return true;
  return x.operation() == Operation::column && x.bounded() && x.type() != Type::boolean;
}

void collect(const Expression& x, std::vector<Expression>& found) {
  if (can_move(x) && std::find(found.begin(), found.end(), x) == found.end()) found.push_back(x);
  for (const Expression& operand : x.operands()) collect(operand, found);
}

}  // namespace

std::vector<Expression> clampable(const Expression& x) {
  std::vector<Expression> found;
  collect(x, found);
  return found;
}

// The SQL has the operand once, and of each place less than the place itself has.
Result<Expression> was_clamped(std::vector<Expression> operands) {
  const std::vector<Expression> places = clampable(operands.front());
  if (places.empty()) {
    return invalid("nothing in it can be moved to a bound; name a column with declared bounds, or write CLAMP");
  }
  Expression::Node node{.operation = Operation::is_clamped,
                        .type = Type::boolean,
                        .span = std::monostate{},
                        .nullable = false,
                        .operands = std::move(operands)};
  for (const Expression& place : places) node.weight += place.weight();
  return finished(std::move(node));
}

}  // namespace vernier::query
