#include <numbers>

#include "vernier/query/translate/call_writers.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/translate.hpp"

// Functions of numbers and texts that are made of others.
namespace vernier::query {
namespace {

Made in_degrees(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return sign(at, "*", std::move(x[0]), constant_of(at, "DOUBLE", 180 / std::numbers::pi));
}

Made in_radians(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return sign(at, "*", std::move(x[0]), constant_of(at, "DOUBLE", std::numbers::pi / 180));
}

// Over rows; statistics have a LOG2 of their own.
Made logarithm_two(const Json& at, Operands x) {
  if (x.size() != 1 || has_statistic(x[0])) return std::nullopt;
  return sign(at, "/", call(at, "ln", {std::move(x[0])}), constant_of(at, "DOUBLE", std::numbers::ln2));
}

Made whole_quotient(const Json& at, Operands x) {
  if (x.size() != 2) return std::nullopt;
  return sign(at, "//", std::move(x[0]), std::move(x[1]));
}

// BTRIM(x), of blanks.
Made trimmed(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return call(at, "trim", {std::move(x[0])});
}

Made tangent(const Json& at, Operands x) {
  if (x.size() != 1 || !is_short(x[0]) || has_statistic(x[0])) return std::nullopt;
  Json sine = call(at, "sin", {x[0]});
  return sign(at, "/", std::move(sine), call(at, "cos", {std::move(x[0])}));
}

}  // namespace

const std::map<std::string_view, Writer>& writers_of_numbers() {
  static const std::map<std::string_view, Writer> known{
      {"degrees", in_degrees}, {"radians", in_radians}, {"log2", logarithm_two},
      {"div", whole_quotient}, {"btrim", trimmed},      {"tan", tangent},
  };
  return known;
}

}  // namespace vernier::query
