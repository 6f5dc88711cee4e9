#include <algorithm>
#include <charconv>

#include "vernier/core/text.hpp"
#include "vernier/query/translate.hpp"

// Constants, as the parser types them: INTEGER to HUGEINT, DECIMAL as an unscaled integer with a scale, DOUBLE,
// VARCHAR.
namespace vernier::query {
namespace {

bool is_integer_type(std::string_view id) {
  return id == "TINYINT" || id == "SMALLINT" || id == "INTEGER" || id == "BIGINT";
}

std::string digits_of(Int128 number) {
  const bool negative = number < 0;
  std::string digits;
  do {
    const auto digit = static_cast<int>(number % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    number /= 10;
  } while (number != 0);
  if (negative) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

// Up to 64 bits as a number, more as two halves.
Int128 wide_integer(const Json& value) {
  if (!value.is_object()) return value.get<std::int64_t>();
  return (static_cast<Int128>(value.at("upper").get<std::int64_t>()) << 64) | value.at("lower").get<std::uint64_t>();
}

// The double that is nearest to the decimal as written.
Read<Expression> decimal(const Json& node, const Json& value) {
  const auto scale = value.at("type").at("type_info").at("scale").get<int>();
  const std::string digits = digits_of(wide_integer(value.at("value"))) + "e" + std::to_string(-scale);
  const Result<double> number = read_number("the number", digits);
  if (!number) return refuse(node, number.error().sentence);
  return literal(*number);
}

Read<Expression> of_type(const Json& node, const Json& value, std::string_view id) {
  const Json& content = value.at("value");
  if (is_integer_type(id)) return literal(content.get<std::int64_t>());
  if (id == "DECIMAL") return decimal(node, value);
  if (id == "DOUBLE") return literal(content.get<double>());
  if (id == "VARCHAR") return literal(content.get<std::string>());
  if (id == "BOOLEAN") return literal(content.get<bool>());
  if (id == "HUGEINT") return refuse(node, "an integer must fit in 64 bits; write it with an exponent, as in 1e20");
  return refuse(node, "this kind of constant is not accepted; write a number, 'text', DATE '2020-02-29', TRUE or NULL");
}

}  // namespace

Read<Expression> read_literal(const Json& node) {
  const Json& value = node.at("value");
  const std::string& id = text(value.at("type"), "id");
  if (value.at("is_null").get<bool>()) return null_of(Type::integer);
  if (!has_exactly(value, {"type", "is_null", "value"}))
    return refuse(node, "this constant has a part that is not known");
  return of_type(node, value, id);
}

}  // namespace vernier::query
