#include "vernier/query/expression/render.hpp"

#include <algorithm>

#include "vernier/query/quote.hpp"

namespace vernier::query {
namespace {

std::string matches(const std::string& text, std::string_view pattern) {
  return "regexp_full_match(" + text + ", " + quoted_text(pattern) + ")";
}

std::string text_cast(const std::string& text, Type type) {
  const std::string attempt = "TRY_CAST(" + text + " AS " + std::string(column_type(type)) + ")";
  switch (type) {
    case Type::integer:
      return when(matches(text, " *[+-]?[0-9]{1,18} *"), attempt);
    case Type::real: {
      const std::string form = matches(text, " *[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]{1,3})? *");
      return when(form + " AND isfinite(" + attempt + ")", attempt);
    }
    case Type::date: {
      const std::string form = matches(text, "[0-9]{4}-[0-9]{2}-[0-9]{2}");
      return when(form + " AND " + text + " >= '0001-01-01'", attempt);
    }
    default:
      return "CASE WHEN " + text + " = 'true' THEN TRUE WHEN " + text + " = 'false' THEN FALSE END";
  }
}

// floor(x + 0.5) where that has 64 bits; 9223372036854774784 is the greatest double below 2^63.
std::string whole_part(const Expression& x) {
  const std::string value = rendered(x);
  const std::string whole = "TRY_CAST(floor(" + value + " + 5e-1) AS BIGINT)";
  const RealSpan span = std::get<RealSpan>(x.span());
  if (span.lower >= -9223372036854774784.0 && span.upper <= 9223372036854774784.0) return whole;
  return when(value + " BETWEEN -9223372036854774784e0 AND 9223372036854774784e0", whole);
}

std::string narrowed(const std::string& x) {
  return when(x + " BETWEEN " + rendered(Value(INT64_MIN)) + " AND " + rendered(Value(INT64_MAX)),
              "TRY_CAST(" + x + " AS BIGINT)");
}

}  // namespace

std::string cast_to(std::string_view type, const std::string& x) {
  return "CAST(" + x + " AS " + std::string(type) + ")";
}

std::string when(const std::string& condition, const std::string& value) {
  return "CASE WHEN " + condition + " THEN " + value + " END";
}

std::string rendered_cast(const Expression& x) {
  const Expression& from = x.operands().front();
  const std::string value = rendered(from);
  if (from.type() == Type::string) return text_cast(value, x.type());
  if (from.type() == Type::real) return whole_part(from);
  if (from.type() == Type::integer && x.type() == Type::integer) return narrowed(value);
  if (from.type() == Type::integer && x.type() == Type::boolean) return bracketed(value + " <> 0");
  return cast_to(column_type(x.type()), value);
}

namespace {

using Operands = std::vector<Expression>;

bool is_wide(const Expression& x) {
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  return span != nullptr && x.operation() != Operation::null && !is_narrow(*span);
}

bool any_wide(const Operands& operands) { return std::any_of(operands.begin(), operands.end(), is_wide); }

// As HUGEINT where `wide`, which concerns integers only.
std::string widened(const Expression& x, bool wide) {
  return wide && x.type() == Type::integer && !is_wide(x) ? cast_to("HUGEINT", rendered(x)) : rendered(x);
}

std::string joined(const Operands& operands, std::string_view mark, bool wide = false) {
  std::string text;
  for (const Expression& x : operands) text += (text.empty() ? "" : std::string(mark)) + widened(x, wide);
  return text;
}

// x, or an end where x lies beyond it; NULL stays NULL.
std::string held_between(const std::string& x, const std::string& lower, const std::string& upper) {
  return "CASE WHEN " + x + " < " + lower + " THEN " + lower + " WHEN " + x + " > " + upper + " THEN " + upper +
         " ELSE " + x + " END";
}

// Most rows are decided by the first condition.
// NaN is greater than every number in DuckDB, and has no value here.
std::string bounded_real(const std::string& name, const RealSpan& span) {
  const std::string lower = rendered(Value(span.lower));
  const std::string upper = rendered(Value(span.upper));
  return "CASE WHEN " + name + " BETWEEN " + lower + " AND " + upper + " THEN " + name + " WHEN " + name + " < " +
         lower + " THEN " + lower + " WHEN NOT isnan(" + name + ") THEN " + upper + " END";
}

std::pair<Value, Value> ends_of(const Span& span) {
  if (const auto* const ends = std::get_if<IntegerSpan>(&span)) {
    return {static_cast<std::int64_t>(ends->lower), static_cast<std::int64_t>(ends->upper)};
  }
  if (const auto* const ends = std::get_if<RealSpan>(&span)) return {ends->lower, ends->upper};
  return {std::get<DaySpan>(span).lower, std::get<DaySpan>(span).upper};
}

std::string column_sql(const Expression& x) {
  const std::string name = quoted_identifier(x.column_name());
  if (const auto* const span = std::get_if<IntegerSpan>(&x.span()); span != nullptr && x.bounded()) {
    return held_between(name, rendered(Value(static_cast<std::int64_t>(span->lower))),
                        rendered(Value(static_cast<std::int64_t>(span->upper))));
  }
  if (const auto* const span = std::get_if<RealSpan>(&x.span())) {
    return x.bounded() ? bounded_real(name, *span) : when("isfinite(" + name + ")", name);
  }
  if (const auto* const span = std::get_if<DaySpan>(&x.span())) {
    const std::string lower = rendered(Value(span->lower));
    const std::string upper = rendered(Value(span->upper));
    return x.bounded() ? held_between(name, lower, upper) : when(name + " BETWEEN " + lower + " AND " + upper, name);
  }
  return name;
}

std::string_view sign_of(Operation operation) {
  switch (operation) {
    case Operation::add:
      return " + ";
    case Operation::subtract:
      return " - ";
    case Operation::multiply:
      return " * ";
    case Operation::divide:
      return " / ";
    case Operation::divide_truncated:
      return " // ";
    case Operation::remainder:
      return " % ";
    case Operation::equal:
      return " = ";
    case Operation::not_equal:
      return " <> ";
    case Operation::less:
      return " < ";
    case Operation::less_equal:
      return " <= ";
    case Operation::greater:
      return " > ";
    case Operation::greater_equal:
      return " >= ";
    case Operation::logical_and:
      return " AND ";
    default:
      return " OR ";
  }
}

// 2^63 is the one remainder's quotient that 64 bits do not hold.
bool needs_wide(const Expression& x) {
  if (x.type() != Type::integer) return false;
  const bool least =
      x.operation() == Operation::remainder && std::get<IntegerSpan>(x.operands().front().span()).lower <= INT64_MIN;
  return is_wide(x) || any_wide(x.operands()) || least;
}

// A result that was computed wide, in the type of its span.
std::string fitted(const Expression& x, const std::string& sql, bool wide) {
  return wide && !is_wide(x) ? cast_to("BIGINT", sql) : sql;
}

bool may_be_zero(const Expression& x) {
  if (const auto* const span = std::get_if<IntegerSpan>(&x.span())) return span->lower <= 0 && span->upper >= 0;
  const auto& span = std::get<RealSpan>(x.span());
  return span.lower <= 0 && span.upper >= 0;
}

std::string finite(const Expression& x, const std::string& sql) {
  return x.guarded() ? when("isfinite(" + sql + ")", sql) : sql;
}

std::string binary(const Expression& x) {
  const bool wide = needs_wide(x);
  return finite(x, fitted(x, bracketed(joined(x.operands(), sign_of(x.operation()), wide)), wide));
}

std::string division(const Expression& x) {
  const bool wide = needs_wide(x);
  const std::string quotient = bracketed(joined(x.operands(), sign_of(x.operation()), wide));
  const Expression& divisor = x.operands().back();
  const bool checked = may_be_zero(divisor);
  const std::string safe = checked ? when(rendered(divisor) + " <> 0", quotient) : quotient;
  return finite(x, fitted(x, safe, wide));
}

std::string function(const Expression& x, const std::string& before, const std::string& behind) {
  const bool wide = needs_wide(x);
  return fitted(x, before + widened(x.operands().front(), wide) + behind, wide);
}

std::string comparison_sql(const Expression& x) {
  const Operands& operands = x.operands();
  const bool wide = any_wide(operands);
  const std::string first = widened(operands.front(), wide);
  if (x.operation() == Operation::in) {
    return bracketed(first + " IN " + bracketed(joined({operands.begin() + 1, operands.end()}, ", ", wide)));
  }
  if (x.operation() == Operation::between) {
    return bracketed(first + " BETWEEN " + widened(operands[1], wide) + " AND " + widened(operands[2], wide));
  }
  return bracketed(joined(operands, sign_of(x.operation()), wide));
}

std::string case_sql(const Expression& x) {
  const Operands& operands = x.operands();
  const bool wide = is_wide(x);
  std::string sql = "CASE";
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    sql += " WHEN " + rendered(operands[i]) + " THEN " + widened(operands[i + 1], wide);
  }
  return sql + " ELSE " + widened(operands.back(), wide) + " END";
}

std::string null_if_sql(const Expression& x) {
  const bool wide = any_wide(x.operands());
  return "CASE WHEN " + joined(x.operands(), " = ", wide) + " THEN NULL ELSE " + rendered(x.operands().front()) +
         " END";
}

std::string clamp_sql(const Expression& x) {
  const bool wide = any_wide(x.operands());
  const Operands& operands = x.operands();
  return fitted(x, held_between(widened(operands[0], wide), widened(operands[1], wide), widened(operands[2], wide)),
                wide);
}

// Whether it lies outside; NULL where it has no value. NaN was not moved: it has no value.
std::string outside_sql(const Expression& place) {
  if (place.operation() == Operation::column) {
    const std::string name = quoted_identifier(place.column_name());
    const auto [lower, upper] = ends_of(place.span());
    const std::string above = name + " > " + rendered(upper);
    const bool is_real = place.type() == Type::real;
    return bracketed(name + " < " + rendered(lower) + " OR " +
                     (is_real ? bracketed(above + " AND NOT isnan" + bracketed(name)) : above));
  }
  const Operands& operands = place.operands();
  const bool wide = any_wide(operands);
  const std::string x = widened(operands[0], wide);
  return bracketed(x + " < " + widened(operands[1], wide) + " OR " + x + " > " + widened(operands[2], wide));
}

std::string clamped_sql(const Expression& x) {
  const Expression& operand = x.operands().front();
  std::string any;
  for (const Expression& place : clampable(operand)) any += (any.empty() ? "" : " OR ") + outside_sql(place);
  const std::string moved = "COALESCE(" + any + ", FALSE)";
  return operand.nullable() ? bracketed(rendered(operand) + " IS NOT NULL AND " + moved) : moved;
}

std::string bucket_sql(const Expression& x) {
  const bool wide = needs_wide(x) || x.type() == Type::integer;
  const std::string value = widened(x.operands()[0], wide);
  const std::string width = widened(x.operands()[1], wide);
  if (x.type() == Type::real) return finite(x, "(floor(" + value + " / " + width + ") * " + width + " + 0e0)");
  const std::string offset = bracketed(value + " % " + width + " + " + width) + " % " + width;
  return fitted(x, bracketed(value + " - " + offset), wide);
}

}  // namespace

std::string rendered(const Expression& x) {
  using enum Operation;
  switch (x.operation()) {
    case Operation::column:
      return column_sql(x);
    case Operation::literal:
      return rendered(x.value());
    case Operation::null:
      return cast_to(column_type(x.type()), "NULL");
    case add:
    case subtract:
    case multiply:
      return binary(x);
    case divide:
    case divide_truncated:
    case Operation::remainder:
      return division(x);
    case negate:
      return function(x, "(-", ")");
    case absolute:
      return function(x, "abs(", ")");
    case floor:
      return function(x, "floor(", ")");
    case ceil:
      return function(x, "ceil(", ")");
    case round:
      return function(x, "floor(", " + 5e-1)");
    case logical_and:
    case logical_or:
      return bracketed(joined(x.operands(), sign_of(x.operation())));
    case logical_not:
      return function(x, "(NOT ", ")");
    case is_null:
      return function(x, "(", " IS NULL)");
    case is_clamped:
      return clamped_sql(x);
    case case_when:
      return case_sql(x);
    case coalesce:
      return "COALESCE(" + joined(x.operands(), ", ", is_wide(x)) + ")";
    case null_if:
      return null_if_sql(x);
    case clamp:
      return clamp_sql(x);
    case bucket:
      return bucket_sql(x);
    case Operation::cast:
      return rendered_cast(x);
    case Operation::date_part:
      return function(x, "date_part(" + quoted_text(name_of(x.part())) + ", ", ")");
    default:
      return comparison_sql(x);
  }
}

std::string rendered_output(const Expression& expression) {
  return cast_to(column_type(expression.type()), rendered(expression));
}

}  // namespace vernier::query
