#include "vernier/query/expression/within.hpp"

#include <algorithm>

#include "vernier/query/query.hpp"

namespace vernier::query {
namespace {

// What an expression can be; nothing is known of it where there is none.
struct Possible {
  bool may_be_null = false;
  std::vector<ValueSpan> ranges = {};
};
using Known = std::optional<Possible>;

bool is_literal(const Expression& x) { return x.operation() == Operation::literal; }

ValueSpan at(const Value& value) { return {RangeEnd{value}, RangeEnd{value}}; }

bool is_empty(const ValueSpan& span) {
  if (!span.lower || !span.upper) return false;
  if (span.lower->value == span.upper->value) return !span.lower->is_inside || !span.upper->is_inside;
  return span.upper->value < span.lower->value;
}

// The stricter of two ends; `is_nearer` says whether the first value allows less.
template <class IsNearer>
std::optional<RangeEnd> stricter(const std::optional<RangeEnd>& a, const std::optional<RangeEnd>& b,
                                 const IsNearer& is_nearer) {
  if (!a || !b) return a ? a : b;
  if (a->value == b->value) return RangeEnd{a->value, a->is_inside && b->is_inside};
  return is_nearer(a->value, b->value) ? a : b;
}

ValueSpan common(const ValueSpan& a, const ValueSpan& b) {
  return {stricter(a.lower, b.lower, [](const Value& x, const Value& y) { return y < x; }),
          stricter(a.upper, b.upper, [](const Value& x, const Value& y) { return x < y; })};
}

std::vector<ValueSpan> common(const std::vector<ValueSpan>& a, const std::vector<ValueSpan>& b) {
  std::vector<ValueSpan> found;
  for (const ValueSpan& one : a) {
    for (const ValueSpan& other : b) {
      if (const ValueSpan both = common(one, other); !is_empty(both)) found.push_back(both);
    }
  }
  return found;
}

Known both(const Known& a, const Known& b) {
  if (!a || !b) return a ? a : b;
  return Possible{a->may_be_null && b->may_be_null, common(a->ranges, b->ranges)};
}

Known either(const Known& a, const Known& b) {
  if (!a || !b) return std::nullopt;
  Possible all = *a;
  all.may_be_null = a->may_be_null || b->may_be_null;
  all.ranges.insert(all.ranges.end(), b->ranges.begin(), b->ranges.end());
  return all;
}

// The comparison with its operands exchanged.
Operation mirrored(Operation operation) {
  switch (operation) {
    case Operation::less:
      return Operation::greater;
    case Operation::less_equal:
      return Operation::greater_equal;
    case Operation::greater:
      return Operation::less;
    case Operation::greater_equal:
      return Operation::less_equal;
    default:
      return operation;
  }
}

Known compared(Operation operation, const Value& value) {
  const RangeEnd inside{value, true}, outside{value, false};
  switch (operation) {
    case Operation::equal:
      return Possible{false, {at(value)}};
    case Operation::not_equal:
      return Possible{false, {{{}, outside}, {outside, {}}}};
    case Operation::less:
      return Possible{false, {{{}, outside}}};
    case Operation::less_equal:
      return Possible{false, {{{}, inside}}};
    case Operation::greater:
      return Possible{false, {{outside, {}}}};
    case Operation::greater_equal:
      return Possible{false, {{inside, {}}}};
    default:
      return std::nullopt;
  }
}

// Of x against constants: x, then the others.
Known among_constants(const Expression& condition) {
  const std::vector<Expression>& operands = condition.operands();
  if (!std::all_of(operands.begin() + 1, operands.end(), is_literal)) return std::nullopt;
  if (condition.operation() == Operation::between) {
    return Possible{false, {{RangeEnd{operands[1].value()}, RangeEnd{operands[2].value()}}}};
  }
  Possible listed;
  for (std::size_t i = 1; i < operands.size(); ++i) listed.ranges.push_back(at(operands[i].value()));
  return listed;
}

bool is_comparison(Operation operation) {
  return operation >= Operation::equal && operation <= Operation::greater_equal;
}

// What a condition without AND and OR says of its subject, and which expression that is.
struct Said {
  Expression subject;
  Known known;
};

Said said_by(const Expression& condition) {
  const std::vector<Expression>& operands = condition.operands();
  const Operation operation = condition.operation();
  if (is_comparison(operation)) {
    if (is_literal(operands[1])) return {operands[0], compared(operation, operands[1].value())};
    if (is_literal(operands[0])) return {operands[1], compared(mirrored(operation), operands[0].value())};
  }
  if (operation == Operation::between || operation == Operation::in) return {operands[0], among_constants(condition)};
  if (operation == Operation::is_null) return {operands[0], Possible{true, {}}};
  if (operation == Operation::logical_not) {
    const Expression& inner = operands[0];
    if (inner.operation() == Operation::is_null) return {inner.operands()[0], Possible{false, {ValueSpan{}}}};
    return {inner, Possible{false, {at(false)}}};
  }
  return {condition, Possible{false, {at(true)}}};  // it is a truth value itself
}

bool is_joined(const Expression& x) {
  return x.operation() == Operation::logical_and || x.operation() == Operation::logical_or;
}

Known known_of(const Expression& condition, const Expression& subject) {
  if (!is_joined(condition)) {
    const Said said = said_by(condition);
    return said.subject == subject ? said.known : std::nullopt;
  }
  const bool is_and = condition.operation() == Operation::logical_and;
  Known all = known_of(condition.operands().front(), subject);
  for (std::size_t i = 1; i < condition.operands().size(); ++i) {
    const Known next = known_of(condition.operands()[i], subject);
    all = is_and ? both(all, next) : either(all, next);
  }
  return all;
}

void collect_subjects(const Expression& condition, std::vector<Expression>& found) {
  if (!is_joined(condition)) {
    const Said said = said_by(condition);
    const bool is_new = std::find(found.begin(), found.end(), said.subject) == found.end();
    if (said.known && is_new) found.push_back(said.subject);
    return;
  }
  for (const Expression& operand : condition.operands()) collect_subjects(operand, found);
}

bool exclude(const Within& a, const Within& b) {
  if (a.expression != b.expression || a.type != b.type) return false;
  return !(a.may_be_null && b.may_be_null) && common(a.ranges, b.ranges).empty();
}

}  // namespace

std::vector<Within> within(const Expression& condition) {
  std::vector<Expression> subjects;
  collect_subjects(condition, subjects);
  std::vector<Within> all;
  for (const Expression& subject : subjects) {
    if (Known known = known_of(condition, subject)) {
      all.push_back({canonical(subject), subject.type(), known->may_be_null, std::move(known->ranges)});
    }
  }
  return all;
}

bool exclude_each_other(const std::vector<Within>& a, const std::vector<Within>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Within& one) {
    return std::any_of(b.begin(), b.end(), [&](const Within& other) { return exclude(one, other); });
  });
}

}  // namespace vernier::query
