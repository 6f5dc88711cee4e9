#include <algorithm>
#include <cmath>

#include "vernier/query/expression/node.hpp"
#include "vernier/query/expression/rounding.hpp"

// Arithmetic: integers are computed wide enough that no overflow is possible, reals have a guard where a result could
// be infinite.
namespace vernier::query {
namespace {

Result<void> all_numbers(const std::vector<Expression>& operands) {
  for (const Expression& x : operands) {
    if (is_null_literal(x)) return invalid("arithmetic with NULL is always NULL", "leave it out");
    if (!is_number(x.type())) return invalid("arithmetic takes numbers, and this has " + a(x.type()));
  }
  return {};
}

Result<void> all_integers(const std::vector<Expression>& operands) {
  for (const Expression& x : operands) {
    if (x.type() != Type::integer) {
      return invalid("// and % take integers, and this has " + a(x.type()), "write / or CAST(... AS INTEGER)");
    }
  }
  return {};
}

IntegerSpan quotient_span(Operation operation, IntegerSpan a, IntegerSpan b) {
  const bool is_by_one = operation == Operation::divide_truncated && b.lower == b.upper && b.lower > 0;
  if (is_by_one) return {a.lower / b.lower, a.upper / b.lower};  // which grows with the dividend
  return operation == Operation::remainder ? remainder(a, b) : truncated_quotient(a, b);
}
RealSpan quotient_span(Operation, RealSpan a, RealSpan b) { return quotient(a, b); }

// Of integers or of reals; none where it could leave the greatest integer.
template <class Numbers>
std::optional<Numbers> span_of(Operation operation, const std::vector<Expression>& operands) {
  const auto& first = std::get<Numbers>(operands.front().span());
  const auto& second = std::get<Numbers>(operands.back().span());
  switch (operation) {
    case Operation::add:
      return sum(first, second);
    case Operation::subtract:
      return difference(first, second);
    case Operation::multiply:
      return product(first, second);
    case Operation::negate:
      return negated(first);
    case Operation::absolute:
      return magnitude(first);
    default:
      return quotient_span(operation, first, second);
  }
}

bool may_be_zero(const Expression& x) {
  if (x.type() == Type::integer) return integers(x).lower <= 0 && integers(x).upper >= 0;
  return touches_zero(reals(x));
}

Failure too_large() {
  return invalid("arithmetic takes reals between -1e150 and 1e150, and this has a larger number",
                 "write CLAMP(x, -1e150, 1e150) around it");
}

bool all_within_reals(const std::vector<Expression>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Expression& x) { return is_within_reals(reals(x)); });
}

bool is_division(Operation operation) {
  return operation == Operation::divide || operation == Operation::divide_truncated ||
         operation == Operation::remainder;
}

bool result_nullable(Operation operation, const std::vector<Expression>& operands) {
  return any_nullable(operands) || (is_division(operation) && may_be_zero(operands.back()));
}

// A remainder is as bounded as its divisor.
bool result_bounded(Operation operation, const std::vector<Expression>& operands) {
  return operation == Operation::remainder ? operands.back().bounded() : all_bounded(operands);
}

Result<Expression> of_integers(Operation operation, std::vector<Expression> operands) {
  const std::optional<IntegerSpan> span = span_of<IntegerSpan>(operation, operands);
  if (!span) {
    return invalid("the result could have more than 38 digits", "write CLAMP(x, lower, upper) around its parts");
  }
  Expression::Node node{.operation = operation, .type = Type::integer, .span = *span};
  node.nullable = result_nullable(operation, operands);
  node.bounded = result_bounded(operation, operands);
  node.operands = std::move(operands);
  return finished(std::move(node));
}

Result<Expression> of_reals(Operation operation, std::vector<Expression> operands) {
  if (!all_within_reals(operands)) return too_large();
  const RealSpan span = *span_of<RealSpan>(operation, operands);
  Expression::Node node{.operation = operation, .type = Type::real, .span = span};
  node.guarded = !is_within_reals(span);
  const auto finite = [](double end) { return std::clamp(end, any_real.lower, any_real.upper); };
  node.span = RealSpan{finite(span.lower), finite(span.upper)};
  node.nullable = node.guarded || result_nullable(operation, operands);
  node.bounded = !node.guarded && all_bounded(operands);
  node.operands = std::move(operands);
  return finished(std::move(node));
}

Result<std::vector<Expression>> to_reals(std::vector<Expression> operands) {
  for (Expression& x : operands) {
    VERNIER_TRY(const Expression real, cast(x, Type::real));
    x = real;
  }
  return operands;
}

// What becomes of an end; all three are monotone.
double rounded(Operation operation, double x) {
  if (operation == Operation::floor) return std::floor(x);
  return operation == Operation::ceil ? std::ceil(x) : nearest(x);
}

bool is_literal(const Expression& x) { return x.operation() == Operation::literal; }

// -5 is a number and not an operation.
Result<Expression> negated_literal(const Expression& x) {
  if (const auto* const real = std::get_if<double>(&x.value())) return literal(-*real);
  const auto whole = std::get<std::int64_t>(x.value());
  if (whole == INT64_MIN) return invalid("an integer must fit in 64 bits", "write it with an exponent, as in 1e20");
  return literal(-whole);
}

}  // namespace

namespace {

// A day some days later or earlier, and the days between two.
Result<Expression> of_dates(Operation operation, std::vector<Expression> operands) {
  const bool is_sum = operation == Operation::add;
  if (operation != Operation::subtract && !is_sum) {
    return invalid("a date is no number", "take a part of it, such as EXTRACT(year FROM day)");
  }
  if (is_sum && operands.front().type() != Type::date) std::swap(operands.front(), operands.back());
  if (is_sum) return apply(Operation::add_days, std::move(operands));
  if (operands.back().type() != Type::integer || is_null_literal(operands.back())) {
    return apply(Operation::days_between, {operands.back(), operands.front()});
  }
  VERNIER_TRY(const Expression back, apply(Operation::negate, {operands.back()}));
  return apply(Operation::add_days, {operands.front(), back});
}

bool is_date(const Expression& x) { return x.type() == Type::date && !is_null_literal(x); }

}  // namespace

Result<Expression> arithmetic(Operation operation, std::vector<Expression> operands) {
  if (std::any_of(operands.begin(), operands.end(), is_date)) return of_dates(operation, std::move(operands));
  VERNIER_TRY(all_numbers(operands));
  if (operation == Operation::negate && is_literal(operands.front())) return negated_literal(operands.front());
  if (operation == Operation::divide_truncated || operation == Operation::remainder) {
    VERNIER_TRY(all_integers(operands));
  }
  VERNIER_TRY(std::vector<Expression> same,
              operation == Operation::divide ? to_reals(std::move(operands)) : unified(std::move(operands)));
  const bool whole = same.front().type() == Type::integer;
  return whole ? of_integers(operation, std::move(same)) : of_reals(operation, std::move(same));
}

Result<Expression> rounding(Operation operation, std::vector<Expression> operands) {
  VERNIER_TRY(all_numbers(operands));
  const Expression x = operands.front();
  if (x.type() == Type::integer) return x;
  const RealSpan span{rounded(operation, reals(x).lower), rounded(operation, reals(x).upper)};
  return finished({.operation = operation,
                   .type = Type::real,
                   .span = span,
                   .nullable = x.nullable(),
                   .bounded = x.bounded(),
                   .operands = std::move(operands)});
}

}  // namespace vernier::query
