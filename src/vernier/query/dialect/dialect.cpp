#include "vernier/query/dialect/dialect.hpp"

#include <array>

#include "vernier/core/text.hpp"
#include "vernier/query/quote.hpp"

namespace vernier::query {
namespace {

// A new engine is one line here.
std::array<const Dialect*, 4> all_dialects() {
  return {&duckdb_dialect(), &postgresql_dialect(), &trino_dialect(), &spark_dialect()};
}

}  // namespace

const Dialect* dialect_named(std::string_view name) {
  for (const Dialect* one : all_dialects()) {
    if (one->name() == name) return one;
  }
  return nullptr;
}

std::vector<std::string> dialect_names() {
  std::vector<std::string> names;
  for (const Dialect* one : all_dialects()) names.emplace_back(one->name());
  return names;
}

std::string_view Dialect::type(Type type) const { return column_type(type); }

std::string Dialect::identifier(std::string_view name) const { return quoted_identifier(name); }

std::string Dialect::constant(const Value& value) const {
  const auto cast = [&](const std::string& text) {
    return "CAST('" + text + "' AS " + std::string(type(type_of(value))) + ")";
  };
  switch (type_of(value)) {
    case Type::boolean:
      return std::get<bool>(value) ? "TRUE" : "FALSE";
    case Type::integer:
      return cast(std::to_string(std::get<std::int64_t>(value)));
    case Type::real:
      return cast(shortest(std::get<double>(value)));
    case Type::string:
      return text(std::get<std::string>(value));
    case Type::date:
      break;
  }
  return cast(text_of(std::get<Day>(value)));
}

std::string Dialect::quotient(const std::string& a, const std::string& b) const { return "(" + a + " / " + b + ")"; }

// What division rounds is whole already.
std::string Dialect::wide_quotient(const std::string& a, const std::string& b) const {
  return "((" + a + " - " + a + " % " + b + ") / " + b + ")";
}

std::string Dialect::floor(const std::string& real) const { return "floor(" + real + ")"; }
std::string Dialect::sum(const std::string& integers) const { return "sum(" + integers + ")"; }
std::string Dialect::sum_or_null(const std::string& integers) const { return sum(integers); }
std::string Dialect::bytewise(const std::string& text) const { return text; }
std::string Dialect::octets(const std::string& text) const { return "octet_length(" + text + ")"; }
std::string Dialect::is_text(const std::string&) const { return ""; }
std::string Dialect::bytes_of(const std::string& text) const { return octets(text); }

std::string Dialect::real_of_text(const std::string& text) const {
  return std::string(guarded_cast()) + "(" + text + " AS " + std::string(type(Type::real)) + ")";
}

std::string Dialect::own_like(const std::string& text, const LikePattern& pattern) const {
  std::string joined(pattern.first());
  for (std::size_t i = 1; i < pattern.pieces.size(); ++i) joined.append("%").append(pattern.pieces[i]);
  return "(" + text + " LIKE " + this->text(with_escapes(joined)) + " ESCAPE '!')";
}

std::string Dialect::date_part(DatePart part, const std::string& date) const {
  return "CAST(extract(" + std::string(name_of(part)) + " FROM " + date + ") AS BIGINT)";
}

std::string Dialect::digest(const std::string& text) const { return "md5(" + text + ")"; }

std::string Dialect::least_by(const std::string& value, Type, const std::string& digest) const {
  return "min_by(" + value + ", " + digest + ")";
}

}  // namespace vernier::query
