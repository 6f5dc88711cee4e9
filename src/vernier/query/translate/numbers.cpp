#include <cmath>

#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Functions of numbers that are made of the operations of the algebra: LEAST, GREATEST, POWER(x, 2) and ROUND(x, 2).
namespace vernier::query {
namespace {

constexpr std::int64_t greatest_exponent = 8;

// The lesser of two, or the one that is not NULL.
Result<Expression> lesser(Operation compare, const Expression& a, const Expression& b) {
  std::vector<Expression> parts;
  const auto add_where_missing = [&](const Expression& x, const Expression& other) -> Result<void> {
    if (!x.nullable()) return {};
    VERNIER_TRY(const Expression is_missing, apply(Operation::is_null, {x}));
    parts.insert(parts.end(), {is_missing, other});
    return {};
  };
  VERNIER_TRY(const Expression is_first, apply(compare, {a, b}));
  VERNIER_TRY(add_where_missing(a, b));
  VERNIER_TRY(add_where_missing(b, a));
  parts.insert(parts.end(), {is_first, a, b});
  return apply(Operation::case_when, std::move(parts));
}

bool is_number_literal(const Expression& x) {
  return x.operation() == Operation::literal && (x.type() == Type::integer || x.type() == Type::real);
}

// LEAST(GREATEST(x, 0), 500) and GREATEST(LEAST(x, 500), 0) are CLAMP(x, 0, 500), which is bounded; where x is NULL,
// the inner bound stands, as they leave out NULL. `inner` is what the inner one has made.
std::optional<Result<Expression>> as_clamp(const Expression& inner, const Expression& bound, bool is_least) {
  const bool is_choice = inner.operation() == Operation::case_when && is_number_literal(bound);
  if (!is_choice) return std::nullopt;
  const std::vector<Expression>& parts = inner.operands();  // [x is NULL, bound,] x >= bound, x, bound
  const std::size_t end = parts.size();
  if (end != 3 && end != 5) return std::nullopt;
  const Expression &condition = parts[end - 3], &x = parts[end - 2], &other = parts[end - 1];
  const Operation compare = is_least ? Operation::greater_equal : Operation::less_equal;
  if (condition.operation() != compare || !is_number_literal(other)) return std::nullopt;
  const Expression &lower = is_least ? other : bound, &upper = is_least ? bound : other;
  if (x.bounded() || x.operation() == Operation::literal) return std::nullopt;
  const Result<Expression> clamped = apply(Operation::clamp, {x, lower, upper});
  if (!clamped || !clamped->nullable()) return clamped;
  return apply(Operation::coalesce, {*clamped, other});
}

std::optional<std::int64_t> whole_literal(const Expression& x) {
  if (x.operation() != Operation::literal) return std::nullopt;
  const auto* const whole = std::get_if<std::int64_t>(&x.value());
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

Result<Expression> power_of(const Expression& x, std::int64_t exponent) {
  VERNIER_TRY(const Expression real, cast(x, Type::real));
  VERNIER_TRY(const Expression size, apply(Operation::absolute, {real}));
  Expression made = exponent % 2 == 0 ? size : real;
  for (std::int64_t i = 1; i < exponent; ++i) {
    VERNIER_TRY(made, apply(Operation::multiply, {made, size}));
  }
  return made;
}

}  // namespace

Result<Expression> rounded_to(const Expression& x, std::int64_t digits) {
  if (digits == 0) return apply(Operation::round, {x});
  const Expression step = literal(std::pow(10.0, static_cast<double>(std::abs(digits))));
  const Operation before = digits > 0 ? Operation::multiply : Operation::divide;
  const Operation behind = digits > 0 ? Operation::divide : Operation::multiply;
  VERNIER_TRY(const Expression large, apply(before, {x, step}));
  VERNIER_TRY(const Expression whole, apply(Operation::round, {large}));
  return apply(behind, {whole, step});
}

Read<Expression> read_extreme(const Json& node, bool is_least, const Scope& scope) {
  const Read<std::vector<Expression>> operands = read_all(list(node, "children"), scope);
  if (!operands) return tl::unexpected(operands.error());
  if (operands->size() < 2) return refuse(node, is_least ? "write it as LEAST(a, b)" : "write it as GREATEST(a, b)");
  Result<Expression> made = operands->front();
  if (operands->size() == 2) {
    if (auto clamped = as_clamp((*operands)[0], (*operands)[1], is_least); clamped && *clamped)
      return located(*clamped, node);
  }
  for (std::size_t i = 1; i < operands->size() && made; ++i) {
    made = lesser(is_least ? Operation::less_equal : Operation::greater_equal, *made, (*operands)[i]);
  }
  return located(made, node);
}

// Even powers are not below 0: x is taken by its size.
Read<Expression> read_power(const Json& node, const Scope& scope) {
  const Read<std::vector<Expression>> operands = read_all(list(node, "children"), scope);
  if (!operands) return tl::unexpected(operands.error());
  const std::optional<std::int64_t> exponent = operands->size() == 2 ? whole_literal(operands->back()) : std::nullopt;
  if (!exponent || *exponent < 1 || *exponent > greatest_exponent) {
    return refuse(node, "POWER over rows takes a whole number from 1 to 8 as its exponent", "write POWER(x, 2)");
  }
  return located(power_of(operands->front(), *exponent), node);
}

Read<Expression> read_rounded(const Json& node, const Scope& scope) {
  const Read<std::vector<Expression>> operands = read_all(list(node, "children"), scope);
  if (!operands) return tl::unexpected(operands.error());
  std::optional<std::int64_t> digits = 0;
  if (operands->size() == 2) digits = whole_literal(operands->back());
  if (operands->empty() || operands->size() > 2 || !digits || std::abs(*digits) > most_decimals) {
    return refuse(node, "ROUND takes a number, and a whole number of digits from -9 to 9", "write ROUND(x, 2)");
  }
  return located(rounded_to(operands->front(), *digits), node);
}

}  // namespace vernier::query
