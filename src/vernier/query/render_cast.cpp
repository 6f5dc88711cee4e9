#include "vernier/query/render_cast.hpp"

#include "vernier/query/quote.hpp"
#include "vernier/query/render.hpp"

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

}  // namespace vernier::query
