#include "vernier/query/quote.hpp"

#include "vernier/core/text.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

std::string doubled(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

}  // namespace

std::string_view column_type(Type type) {
  switch (type) {
    case Type::boolean:
      return "BOOLEAN";
    case Type::integer:
      return "BIGINT";
    case Type::real:
      return "DOUBLE";
    case Type::string:
      return "VARCHAR";
    case Type::date:
      break;
  }
  return "DATE";
}

std::string quoted_identifier(std::string_view name) { return doubled(name, '"'); }
std::string quoted_text(std::string_view text) { return doubled(text, '\''); }

std::string bracketed(std::string_view sql) {
  std::string text(1, '(');
  text += sql;
  return text += ')';
}

std::string rendered(const Value& value) {
  switch (type_of(value)) {
    case Type::boolean:
      return std::get<bool>(value) ? "TRUE" : "FALSE";
    case Type::integer:
      return "CAST(" + quoted_text(std::to_string(std::get<std::int64_t>(value))) + " AS BIGINT)";
    case Type::real:
      return "CAST(" + quoted_text(shortest(std::get<double>(value))) + " AS DOUBLE)";
    case Type::string:
      return quoted_text(std::get<std::string>(value));
    case Type::date:
      break;
  }
  return "CAST(" + quoted_text(text_of(std::get<Day>(value))) + " AS DATE)";
}

}  // namespace vernier::query
