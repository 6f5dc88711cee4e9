#include "vernier/query/translate/plain_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "vernier/query/translate/call_writers.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/translate.hpp"

namespace vernier::query {
namespace {

// Of an operand that is written several times: so many values at most. What is longer stays a call, and is refused, so
// that nested ones cannot grow without limit.
constexpr std::size_t most_copied = 200;

std::size_t values_in(const Json& node) {
  if (!node.is_structured()) return 1;
  std::size_t count = 1;
  for (const Json& part : node) count += values_in(part);
  return count;
}

}  // namespace

bool is_short(const Json& node) { return values_in(node) <= most_copied; }

std::optional<std::string> text_in(const Json& node) {
  const bool is_text = node.value("class", "") == "CONSTANT" && node.at("value").contains("value") &&
                       node.at("value").at("value").is_string();
  return is_text ? std::optional(node.at("value").at("value").get<std::string>()) : std::nullopt;
}

std::string word_in(const Json& node) {
  if (const auto text = text_in(node)) return *text;
  const bool is_name = node.value("class", "") == "COLUMN_REF" && list(node, "column_names").size() == 1;
  return is_name ? list(node, "column_names")[0].get<std::string>() : "";
}

// ---- what is written of a call with these operands; none where it is no such call

namespace {

std::string text_of_number(const Json& node) {
  const bool is_whole = node.value("class", "") == "CONSTANT" && node.at("value").contains("value") &&
                        node.at("value").at("value").is_number_integer();
  return is_whole ? std::to_string(node.at("value").at("value").get<std::int64_t>()) : "";
}

Made if_else(const Json& at, Operands x) {
  if (x.size() != 3) return std::nullopt;
  return choice_of(at, {{std::move(x[0]), std::move(x[1])}}, std::move(x[2]));
}

Made first_there(const Json& at, Operands x) {
  if (x.size() < 2) return std::nullopt;
  return operator_of(at, "OPERATOR_COALESCE", std::move(x));
}

Made zero_for_null(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return operator_of(at, "OPERATOR_COALESCE", {std::move(x[0]), whole(at, 0)});
}

Made null_for_zero(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return call(at, "nullif", {std::move(x[0]), whole(at, 0)});
}

// NVL2(x, a, b): a where x is there.
Made there_or_not(const Json& at, Operands x) {
  if (x.size() != 3) return std::nullopt;
  Json is_there = operator_of(at, "OPERATOR_IS_NOT_NULL", {std::move(x[0])});
  return choice_of(at, {{std::move(is_there), std::move(x[1])}}, std::move(x[2]));
}

// 0 where the divisor is.
Made quotient_or_zero(const Json& at, Operands x) {
  if (x.size() != 2 || !is_short(x[1])) return std::nullopt;
  Json is_zero = comparison_of(at, "COMPARE_EQUAL", x[1], whole(at, 0));
  return choice_of(at, {{std::move(is_zero), whole(at, 0)}}, sign(at, "/", std::move(x[0]), std::move(x[1])));
}

Made remainder_of(const Json& at, Operands x) {
  if (x.size() != 2) return std::nullopt;
  return sign(at, "%", std::move(x[0]), std::move(x[1]));
}

Made squared(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return call(at, "power", {std::move(x[0]), whole(at, 2)});
}

Made sign_of(const Json& at, Operands x) {
  if (x.size() != 1 || !is_short(x[0])) return std::nullopt;
  Json above = comparison_of(at, "COMPARE_GREATERTHAN", x[0], whole(at, 0));
  Json below = comparison_of(at, "COMPARE_LESSTHAN", x[0], whole(at, 0));
  Json none = comparison_of(at, "COMPARE_EQUAL", std::move(x[0]), whole(at, 0));
  return choice_of(
      at, {{std::move(above), whole(at, 1)}, {std::move(below), whole(at, -1)}, {std::move(none), whole(at, 0)}},
      null_constant(at));
}

Made circle(const Json& at, Operands x) {
  if (!x.empty()) return std::nullopt;
  return constant_of(at, "DOUBLE", std::numbers::pi);
}

Made same_or_both_null(const Json& at, Operands x) {
  if (x.size() != 2) return std::nullopt;
  return comparison_of(at, "COMPARE_NOT_DISTINCT_FROM", std::move(x[0]), std::move(x[1]));
}

Made as_day(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return cast_of(at, "DATE", std::move(x[0]));
}

// DATE_ADD(d, INTERVAL 3 DAY).
Made moved_by_interval(const Json& at, Operands x, std::string_view direction) {
  if (x.size() != 2 || !is_interval(x[1])) return std::nullopt;
  return sign(at, direction, std::move(x[0]), std::move(x[1]));
}

// DATEADD('day', 3, d), of which the unit may be a bare word.
Made moved_by_units(const Json& at, Operands x) {
  if (x.size() != 3) return std::nullopt;
  std::string unit = word_in(x[0]);
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (unit.ends_with('s')) unit.pop_back();
  constexpr std::array<std::string_view, 8> units{"day",  "week", "month",  "quarter",
                                                  "year", "hour", "minute", "second"};
  if (std::find(units.begin(), units.end(), unit) == units.end()) return std::nullopt;
  Json day = text_in(x[2]) ? cast_of(at, "DATE", std::move(x[2])) : std::move(x[2]);
  return sign(at, "+", std::move(day), call(at, "to_" + unit + "s", {std::move(x[1])}));
}

Made added_to_date(const Json& at, Operands x) {
  return x.size() == 3 ? moved_by_units(at, std::move(x)) : moved_by_interval(at, std::move(x), "+");
}

Made taken_from_date(const Json& at, Operands x) { return moved_by_interval(at, std::move(x), "-"); }

// ---- units of dates as bare words

std::optional<std::string> unit_in(const Json& node) {
  constexpr std::array<std::string_view, 12> units{"year", "quarter", "month",  "week", "day",    "isoweek",
                                                   "dow",  "doy",     "isodow", "hour", "minute", "second"};
  std::string unit = word_in(node);
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::find(units.begin(), units.end(), unit) == units.end()) return std::nullopt;
  return unit == "isoweek" ? "week" : unit;
}

// DATE_PART(year, d).
Made part_of_date(const Json& at, Operands x) {
  if (x.size() != 2 || text_in(x[0]) || !unit_in(x[0])) return std::nullopt;
  return call(at, "date_part", {text_constant(at, *unit_in(x[0])), std::move(x[1])});
}

// The first day of the year, quarter or month, by what stands in its text: 2026-11-19. Weeks begin with a Monday.
Made first_day_of(const Json& at, const std::string& unit, Json day) {
  if (unit == "day") return cast_of(at, "DATE", std::move(day));
  if (unit == "hour" || unit == "minute" || unit == "second")
    return call(at, "date_trunc", {text_constant(at, unit), std::move(day)});
  if (unit == "week" && is_short(day)) {
    Json date = cast_of(at, "DATE", std::move(day));
    Json number = call(at, "date_part", {text_constant(at, "isodow"), date});
    return sign(at, "+", sign(at, "-", std::move(date), std::move(number)), whole(at, 1));
  }
  if ((unit != "year" && unit != "quarter" && unit != "month") || !is_short(day)) return std::nullopt;
  Json rest = text_constant(at, unit == "year" ? "-01-01" : "01");
  if (unit == "quarter") {
    std::vector<std::pair<Json, Json>> checks;
    for (const auto& [number, first] : {std::pair(1, "-01-01"), {2, "-04-01"}, {3, "-07-01"}, {4, "-10-01"}}) {
      Json quarter = call(at, "date_part", {text_constant(at, "quarter"), day});
      checks.emplace_back(comparison_of(at, "COMPARE_EQUAL", std::move(quarter), whole(at, number)),
                          text_constant(at, first));
    }
    rest = choice_of(at, std::move(checks), null_constant(at));
  }
  Json text = cast_of(at, "VARCHAR", cast_of(at, "DATE", std::move(day)));
  Json kept = call(at, "substring", {std::move(text), whole(at, 1), whole(at, unit == "month" ? 8 : 4)});
  return cast_of(at, "DATE", sign(at, "||", std::move(kept), std::move(rest)));
}

// DATE_TRUNC('month', d), DATE_TRUNC(month, d) and DATE_TRUNC(d, MONTH).
Made beginning_of_unit(const Json& at, Operands x) {
  if (x.size() != 2) return std::nullopt;
  const std::optional<std::string> first = unit_in(x[0]), second = unit_in(x[1]);
  if (!first && !second) return std::nullopt;
  const bool is_first = first && (!second || text_in(x[0]));
  return first_day_of(at, is_first ? *first : *second, std::move(x[is_first ? 1 : 0]));
}

// DATE_DIFF(last, first, DAY), where others begin with the unit.
Made difference_in_units(const Json& at, Operands x) {
  if (x.size() == 2) return call(at, "date_diff", {text_constant(at, "day"), std::move(x[1]), std::move(x[0])});
  if (x.size() != 3 || unit_in(x[0]) || text_in(x[2]) || !unit_in(x[2])) return std::nullopt;
  return call(at, "date_diff", {text_constant(at, *unit_in(x[2])), std::move(x[1]), std::move(x[0])});
}

// By the first characters, as no sign in them is one of a pattern.
Made begins_with(const Json& at, Operands x) {
  const std::optional<std::string> start = x.size() == 2 ? text_in(x[1]) : std::nullopt;
  if (!start) return std::nullopt;
  const auto is_first = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const std::int64_t characters = std::count_if(start->begin(), start->end(), is_first);
  Json part = call(at, "substring", {std::move(x[0]), whole(at, 1), whole(at, characters)});
  return comparison_of(at, "COMPARE_EQUAL", std::move(part), std::move(x[1]));
}

Made like_with(const Json& at, Operands x, std::string_view behind) {
  const std::optional<std::string> part = x.size() == 2 ? text_in(x[1]) : std::nullopt;
  if (!part || part->find_first_of("%_") != std::string::npos) return std::nullopt;
  return sign(at, "~~", std::move(x[0]), text_constant(at, "%" + *part + std::string(behind)));
}

// Whatever the case of the letters from A to Z.
Made has_part_in_any_case(const Json& at, Operands x) {
  Made made = like_with(at, std::move(x), "%");
  if (made) (*made)["function_name"] = "~~*";
  return made;
}

Made truncated(const Json& at, Operands x);

// TRUNC(x, 2), of so many digits.
Made truncated_to(const Json& at, Operands x) {
  const std::string digits = text_of_number(x[1]);
  if (digits.size() != 1 || digits == "0") return std::nullopt;
  const double step = std::pow(10.0, digits.front() - '0');
  Made large = truncated(at, {sign(at, "*", std::move(x[0]), constant_of(at, "DOUBLE", step))});
  if (!large) return std::nullopt;
  return sign(at, "/", *std::move(large), constant_of(at, "DOUBLE", step));
}

// Toward zero. The parser writes it around the numbers of INTERVAL, where there is no column.
Made truncated(const Json& at, Operands x) {
  const bool is_whole = x.size() == 1 || (x.size() == 2 && text_of_number(x[1]) == "0");
  if (!is_whole && x.size() == 2) return truncated_to(at, std::move(x));
  if (!is_whole || !has_column(x[0]) || has_statistic(x[0]) || !is_short(x[0])) return std::nullopt;
  Json is_positive = comparison_of(at, "COMPARE_GREATERTHANOREQUALTO", x[0], whole(at, 0));
  Json down = call(at, "floor", {x[0]}), up = call(at, "ceil", {x[0]});
  return choice_of(at, {{std::move(is_positive), std::move(down)}}, std::move(up));
}

Made ends_with(const Json& at, Operands x) { return like_with(at, std::move(x), ""); }
Made has_part(const Json& at, Operands x) { return like_with(at, std::move(x), "%"); }

// DECODE(x, 1, 'a', 2, 'b', 'c').
Made decoded(const Json& at, Operands x) {
  if (x.size() < 3 || !is_short(x[0])) return std::nullopt;
  std::vector<std::pair<Json, Json>> checks;
  std::size_t i = 1;
  for (; i + 1 < x.size(); i += 2) {
    checks.emplace_back(comparison_of(at, "COMPARE_EQUAL", x[0], std::move(x[i])), std::move(x[i + 1]));
  }
  return choice_of(at, std::move(checks), i < x.size() ? std::move(x[i]) : null_constant(at));
}

// CHOOSE(i, 'a', 'b').
Made chosen(const Json& at, Operands x) {
  if (x.size() < 2 || !is_short(x[0])) return std::nullopt;
  std::vector<std::pair<Json, Json>> checks;
  for (std::size_t i = 1; i < x.size(); ++i) {
    checks.emplace_back(comparison_of(at, "COMPARE_EQUAL", x[0], whole(at, static_cast<std::int64_t>(i))),
                        std::move(x[i]));
  }
  return choice_of(at, std::move(checks), null_constant(at));
}

// WIDTH_BUCKET(x, 0, 100, 10): 0 below the first bound, one more than there are from the last one on.
Made place_among(const Json& at, Operands x) {
  if (x.size() != 4) return std::nullopt;
  Json width = sign(at, "/", sign(at, "-", x[2], x[1]), x[3]);
  Json from_start = sign(at, "/", sign(at, "-", std::move(x[0]), std::move(x[1])), std::move(width));
  Json number = cast_of(at, "BIGINT", call(at, "floor", {std::move(from_start)}));
  const Json& parts = x[3];
  const bool is_whole = parts.value("class", "") == "CONSTANT" && parts.at("value").contains("value") &&
                        parts.at("value").at("value").is_number_integer();
  if (!is_whole) return std::nullopt;
  const auto count = parts.at("value").at("value").get<std::int64_t>();
  if (count < 1 || count > 1'000'000) return std::nullopt;
  return call(at, "clamp", {sign(at, "+", std::move(number), whole(at, 1)), whole(at, 0), whole(at, count + 1)});
}

// The same under another name.
template <const char* const& Name>
Made renamed(const Json& at, Operands x) {
  return call(at, Name, std::move(x));
}

constexpr const char* quantile_name = "quantile";
constexpr const char* distinct_name = "approx_count_distinct";
constexpr const char* substring_name = "substring";

const std::map<std::string_view, Writer>& writers() {
  static const std::map<std::string_view, Writer> known{
      {"iff", if_else},
      {"iif", if_else},
      {"if", if_else},
      {"nvl", first_there},
      {"ifnull", first_there},
      {"zeroifnull", zero_for_null},
      {"nullifzero", null_for_zero},
      {"nvl2", there_or_not},
      {"div0", quotient_or_zero},
      {"mod", remainder_of},
      {"square", squared},
      {"sign", sign_of},
      {"pi", circle},
      {"equal_null", same_or_both_null},
      {"to_date", as_day},
      {"date", as_day},
      {"date_add", added_to_date},
      {"dateadd", added_to_date},
      {"timestampadd", added_to_date},
      {"date_sub", taken_from_date},
      {"date_part", part_of_date},
      {"datepart", part_of_date},
      {"date_trunc", beginning_of_unit},
      {"datetrunc", beginning_of_unit},
      {"date_diff", difference_in_units},
      {"datediff", difference_in_units},
      {"starts_with", begins_with},
      {"startswith", begins_with},
      {"prefix", begins_with},
      {"ends_with", ends_with},
      {"endswith", ends_with},
      {"suffix", ends_with},
      {"contains", has_part},
      {"contains_substr", has_part_in_any_case},
      {"trunc", truncated},
      {"truncate", truncated},
      {"decode", decoded},
      {"choose", chosen},
      {"width_bucket", place_among},
      {"approx_percentile", renamed<quantile_name>},
      {"hll", renamed<distinct_name>},
      {"mid", renamed<substring_name>},
  };
  return known;
}

bool is_plain(const Json& node) {
  return node.at("filter").is_null() && node.at("distinct") == false && node.at("children").is_array() &&
         node.at("order_bys").value("orders", Json::array()).empty();
}

Writer writer_named(std::string_view name) {
  for (const auto* const some : {&writers(), &writers_of_time(), &writers_of_numbers()}) {
    const auto found = some->find(name);
    if (found != some->end()) return found->second;
  }
  return nullptr;
}

void write_call(Json& node) {
  const Writer writer = writer_named(text(node, "function_name"));
  if (writer == nullptr || !is_plain(node)) return;
  Operands operands = node.at("children").get<Operands>();
  const std::string alias = node.value("alias", "");
  Made made = writer(node, std::move(operands));
  if (!made) return;
  (*made)["alias"] = alias;
  node = *std::move(made);
}

// a IS NOT DISTINCT FROM b: equal, or both NULL. Beside a constant there is nothing to be NULL with.
Json not_distinct(const Json& node) {
  const Json &a = node.at("left"), &b = node.at("right");
  const auto is_null = [](const Json& x) {
    return x.value("class", "") == "CONSTANT" && x.at("value").value("is_null", false) == true;
  };
  if (is_null(b)) return operator_of(node, "OPERATOR_IS_NULL", {a});
  if (is_null(a)) return operator_of(node, "OPERATOR_IS_NULL", {b});
  const auto is_there = [](const Json& x) {
    return x.value("class", "") == "CONSTANT" && x.at("value").value("is_null", true) == false;
  };
  Json equal = operator_of(node, "OPERATOR_COALESCE",
                           {comparison_of(node, "COMPARE_EQUAL", a, b), constant_of(node, "BOOLEAN", false)});
  if (is_there(a) || is_there(b)) return equal;
  Json both = node_of(node, "CONJUNCTION", "CONJUNCTION_AND");
  both["children"] = {operator_of(node, "OPERATOR_IS_NULL", {a}), operator_of(node, "OPERATOR_IS_NULL", {b})};
  Json made = node_of(node, "CONJUNCTION", "CONJUNCTION_OR");
  made["children"] = {std::move(equal), std::move(both)};
  return made;
}

void write_comparison(Json& node) {
  const std::string& type = text(node, "type");
  const bool is_not = type == "COMPARE_DISTINCT_FROM";
  if (!is_not && type != "COMPARE_NOT_DISTINCT_FROM") return;
  if (!is_short(node.at("left")) || !is_short(node.at("right"))) return;
  const std::string alias = node.value("alias", "");
  Json made = not_distinct(node);
  if (is_not) made = operator_of(node, "OPERATOR_NOT", {std::move(made)});
  made["alias"] = alias;
  node = std::move(made);
}

}  // namespace

namespace {

// A key that was a call is called by its name, since what is written for it may be long.
std::vector<std::string> call_names(const Json& node) {
  std::vector<std::string> names;
  if (!node.is_object() || !node.contains("select_list")) return names;
  for (const Json& item : node.at("select_list")) {
    const bool is_bare = item.value("class", "") == "FUNCTION" && item.value("alias", "").empty();
    names.push_back(is_bare && !has_statistic(item) ? text(item, "function_name") : "");
  }
  return names;
}

void keep_call_names(Json& node, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    Json& item = node.at("select_list")[i];
    const bool is_same = item.value("class", "") == "FUNCTION" && text(item, "function_name") == names[i];
    const bool is_only = std::count(names.begin(), names.end(), names[i]) == 1;
    if (!names[i].empty() && !is_same && is_only) item["alias"] = names[i];
  }
}

}  // namespace

namespace {

// A condition on statistics, as a number: 1, 0, or NULL.
void write_truths_as_numbers(Json& items) {
  for (Json& item : items) {
    const std::string& kind = text(item, "class");
    const bool is_truth = kind == "COMPARISON" || kind == "BETWEEN" || kind == "CONJUNCTION" ||
                          (kind == "OPERATOR" && text(item, "type") != "OPERATOR_COALESCE");
    if (!is_truth || !has_statistic(item) || !is_short(item)) continue;
    const std::string alias = text(item, "alias");
    item["alias"] = "";
    Json otherwise = operator_of(item, "OPERATOR_NOT", {item});
    Json made = choice_of(item, {{item, whole(item, 1)}, {std::move(otherwise), whole(item, 0)}}, null_constant(item));
    made["alias"] = alias;
    item = std::move(made);
  }
}

// DP_INTERVAL_LOW(n) and DP_INTERVAL_HIGH(n) of Snowflake are published beside n anyway.
void leave_out_interval_ends(Json& items) {
  const auto is_end = [](const Json& item) {
    const std::string name = text(item, "class") == "FUNCTION" ? text(item, "function_name") : "";
    return name == "dp_interval_low" || name == "dp_interval_high";
  };
  Json kept = Json::array();
  for (Json& item : items) {
    if (!is_end(item)) kept.push_back(std::move(item));
  }
  if (!kept.empty()) items = std::move(kept);
}

}  // namespace

void write_plain_calls(Json& node) {
  if (!node.is_structured()) return;
  if (node.is_object() && node.contains("select_list")) leave_out_interval_ends(node.at("select_list"));
  const std::vector<std::string> names = call_names(node);
  for (Json& part : node) write_plain_calls(part);
  keep_call_names(node, names);
  if (node.is_object() && node.contains("select_list")) write_truths_as_numbers(node.at("select_list"));
  if (!node.is_object() || !node.contains("class") || !node.at("class").is_string()) return;
  if (node.at("class") == "FUNCTION" && node.contains("function_name")) write_call(node);
  if (node.at("class") == "COMPARISON") write_comparison(node);
}

}  // namespace vernier::query
