#include "vernier/query/translate/example.hpp"

#include <algorithm>
#include <array>

#include "vernier/query/query.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/translate/words.hpp"

namespace vernier::query {
namespace {

// Words of SQL that are no names by themselves.
constexpr std::array<std::string_view, 76> reserved{
    "all",        "analyse",    "analyze", "and",       "anti",       "any",       "array",    "as",         "asc",
    "asof",       "asymmetric", "between", "both",      "case",       "cast",      "check",    "collate",    "column",
    "constraint", "create",     "cross",   "default",   "deferrable", "desc",      "describe", "distinct",   "do",
    "else",       "end",        "except",  "false",     "fetch",      "for",       "foreign",  "from",       "full",
    "group",      "having",     "in",      "initially", "inner",      "intersect", "into",     "is",         "isnull",
    "join",       "lambda",     "lateral", "leading",   "left",       "like",      "limit",    "natural",    "not",
    "null",       "offset",     "on",      "or",        "order",      "outer",     "pivot",    "positional", "primary",
    "qualify",    "references", "right",   "select",    "some",       "table",     "then",     "to",         "true",
    "union",      "using",      "when",    "where"};

bool is_plain(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string small(name);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || is_digit(c); }) &&
         std::find(reserved.begin(), reserved.end(), small) == reserved.end() && small != "with" && small != "window";
}

// In the middle of the bounds.
std::string middle(const Range& range) {
  if (const auto* const lower = std::get_if<std::int64_t>(&range.lower)) {
    return std::to_string(*lower + (std::get<std::int64_t>(range.upper) - *lower) / 2);
  }
  if (const auto* const lower = std::get_if<Day>(&range.lower)) {
    const Day upper = std::get<Day>(range.upper);
    return "DATE '" + text_of(Day{lower->number + (upper.number - lower->number) / 2}) + "'";
  }
  return plain(std::get<double>(range.lower) / 2 + std::get<double>(range.upper) / 2);
}

const Column* key_of(const Table& table) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [](const Column& one) { return !one.keys.empty() && one.type != Type::real; });
  return found == table.columns.end() ? nullptr : &*found;
}

}  // namespace

std::string written(std::string_view name) { return is_plain(name) ? std::string(name) : quoted_identifier(name); }

std::string written(const Expression& x) {
  const std::string text = canonical(x);
  std::string made;
  std::size_t at = 0;
  for (const Word& word : words_of(text)) {
    const std::string name(word.in(text));
    made += text.substr(at, word.begin - at);
    made += word.kind == WordKind::name ? written(std::string_view(name).substr(1, name.size() - 2)) : name;
    at = word.end;
  }
  return made + text.substr(at);
}

std::string example_condition(const Table& table) {
  for (const Column& one : table.columns) {
    if (one.range) return written(one.name) + " >= " + middle(*one.range);
  }
  for (const Column& one : table.columns) {
    if (!one.keys.empty()) return written(one.name) + " = " + canonical(literal(one.keys.front()));
  }
  return table.columns.empty() ? "TRUE" : written(table.columns.front().name) + " IS NOT NULL";
}

std::string example_statement(const Table& table) {
  const Column* const key = key_of(table);
  if (key == nullptr) return "SELECT COUNT(*) FROM " + written(table.name);
  return "SELECT " + written(key->name) + ", COUNT(*) FROM " + written(table.name) + " GROUP BY " + written(key->name);
}

std::string example_statement(const Catalog& catalog) {
  return catalog.tables.empty() ? "SELECT COUNT(*) FROM t" : example_statement(catalog.tables.front());
}

}  // namespace vernier::query
