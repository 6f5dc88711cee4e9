#include <algorithm>
#include <charconv>
#include <numeric>

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

bool is_unscaled(const Json& value) {
  return value.is_number_integer() || (has_exactly(value, {"upper", "lower"}) &&
                                       value.at("upper").is_number_integer() && value.at("lower").is_number_unsigned());
}

// The double that is nearest to the decimal as written.
Read<Expression> decimal(const Json& node, const Json& value) {
  const auto scale = value.at("type").at("type_info").at("scale").get<int>();
  const std::string digits = digits_of(wide_integer(value.at("value"))) + "e" + std::to_string(-scale);
  const Result<double> number = read_number("the number", digits);
  if (!number) return refuse(node, number.error().sentence);
  return literal(*number);
}

tl::unexpected<Refusal> not_a_fraction(const Json& node) {
  return refuse(node, "the second part of QUANTILE is a decimal between 0 and 1 with at most " +
                          std::to_string(most_fraction_digits) +
                          " digits behind the point, such as 0.9; write MIN(x) or MAX(x) for the ends");
}

// A type by its name alone, or a DECIMAL with width and scale.
bool is_plain_type(const Json& type) {
  if (!has_exactly(type, {"id", "type_info"})) return false;
  const Json& details = type.at("type_info");
  if (text(type, "id") != "DECIMAL") return details.is_null();
  return has_exactly(details, {"type", "alias", "extension_info", "width", "scale"}) &&
         text(details, "type") == "DECIMAL_TYPE_INFO" && text(details, "alias").empty() &&
         details.at("extension_info").is_null() && details.at("width").is_number_unsigned() &&
         details.at("scale").is_number_unsigned();
}

Read<Expression> of_type(const Json& node, const Json& value, std::string_view id) {
  const Json& content = value.at("value");
  if (is_integer_type(id) && content.is_number_integer()) return literal(content.get<std::int64_t>());
  if (id == "DECIMAL" && is_unscaled(content)) return decimal(node, value);
  if (id == "DOUBLE" && content.is_number_float()) return literal(content.get<double>());
  if (id == "VARCHAR") return literal(content.get<std::string>());
  if (id == "BOOLEAN") return literal(content.get<bool>());
  if (id == "HUGEINT") return refuse(node, "an integer must fit in 64 bits; write it with an exponent, as in 1e20");
  return refuse(node, "this kind of constant is not accepted; write a number, 'text', DATE '2020-02-29', TRUE or NULL");
}

}  // namespace

Read<Expression> read_literal(const Json& node) {
  const Json& value = node.at("value");
  const bool is_null = value.at("is_null").get<bool>();
  const bool known =
      is_null ? has_exactly(value, {"type", "is_null"}) : has_exactly(value, {"type", "is_null", "value"});
  if (!known || !is_plain_type(value.at("type"))) return refuse(node, "this constant has a part that is not known");
  if (is_null) return null_of(Type::integer);
  return of_type(node, value, text(value.at("type"), "id"));
}

Read<Fraction> read_fraction(const Json& node) {
  if (text(node, "class") != "CONSTANT") return not_a_fraction(node);
  if (const Read<Expression> known = read_literal(node); !known) return tl::unexpected(known.error());
  const Json& value = node.at("value");
  if (text(value.at("type"), "id") != "DECIMAL" || value.at("is_null").get<bool>()) return not_a_fraction(node);
  Int128 parts = wide_integer(value.at("value"));
  auto scale = value.at("type").at("type_info").at("scale").get<int>();
  for (; scale > 0 && parts % 10 == 0; --scale) parts /= 10;
  if (scale > most_fraction_digits) return not_a_fraction(node);
  Int128 whole = 1;
  for (int digit = 0; digit < scale; ++digit) whole *= 10;
  if (parts <= 0 || parts >= whole) return not_a_fraction(node);
  const auto common = std::gcd(static_cast<std::int64_t>(parts), static_cast<std::int64_t>(whole));
  return Fraction{static_cast<std::int64_t>(parts) / common, static_cast<std::int64_t>(whole) / common};
}

}  // namespace vernier::query
