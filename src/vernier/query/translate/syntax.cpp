#include "vernier/query/translate/syntax.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "vernier/core/utf8.hpp"
#include "vernier/query/translate/cases.hpp"
#include "vernier/query/translate/hints.hpp"
#include "vernier/query/translate/translate.hpp"

namespace vernier::query {
namespace {

constexpr std::size_t widest_line = 100;   // characters of the statement that are shown
constexpr std::size_t longest_shown = 60;  // bytes of a name that are shown

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string without_controls(std::string_view text) {
  std::string clean(text);
  std::replace_if(clean.begin(), clean.end(), is_control, ' ');
  return clean;
}

std::size_t characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

// The line in which the byte lies.
std::string_view line_at(std::string_view sql, std::size_t byte, std::size_t& start) {
  const std::size_t before = byte == 0 ? std::string_view::npos : sql.rfind('\n', byte - 1);
  start = before == std::string_view::npos ? 0 : before + 1;
  return sql.substr(start, std::min(sql.find('\n', start), sql.size()) - start);
}

}  // namespace

Result<void> check_statement(std::string_view sql) {
  if (sql.size() > greatest_statement) return invalid("the statement has more than 65536 bytes", "write a shorter one");
  if (sql.find('\0') != std::string_view::npos) return invalid("the statement has a NUL byte", "remove it");
  if (!is_utf8(sql)) return invalid("the statement is not valid UTF-8", "save it as UTF-8");
  if (occurrences(sql, "->") + occurrences(lower_case(sql), "lambda") > greatest_arrows) {
    return invalid("the statement has arrows or lambdas, which are not accepted", "write plain expressions");
  }
  if (words_with_cases(sql) > most_words_of_cases) {
    return invalid("the x of CASE x WHEN is read once for every WHEN, and that makes too much of this statement",
                   "write CASE WHEN x = 1 THEN, or a shorter x");
  }
  return {};
}

std::size_t byte_of_character(std::string_view sql, std::size_t character) {
  std::size_t byte = 0;
  while (byte < sql.size() && character > 0) {
    ++byte;
    while (byte < sql.size() && is_continuation(sql[byte])) ++byte;
    --character;
  }
  return byte;
}

Error with_caret(Error error, std::string_view sql, std::optional<std::size_t> byte) {
  if (!byte || *byte > sql.size()) return error;
  std::size_t start = 0;
  const std::string_view line = line_at(sql, *byte, start);
  const std::size_t column = characters(line.substr(0, *byte - start));
  const std::size_t first = column < widest_line * 3 / 4 ? 0 : column - widest_line / 2;
  const std::size_t from = byte_of_character(line, first);
  const std::size_t to = byte_of_character(line, first + widest_line);
  error.details.push_back(without_controls(line.substr(from, to - from)));
  error.details.push_back(std::string(column - first, ' ') + "^");
  return error;
}

std::string shown(std::string_view name) {
  std::size_t end = std::min(name.size(), longest_shown);
  while (end > 0 && end < name.size() && is_continuation(name[end])) --end;
  return without_controls(name.substr(0, end)) + (end < name.size() ? "..." : "");
}

namespace {

struct Shape {
  std::vector<std::string_view> types;
  std::vector<std::string_view> fields;  // besides class, type, alias and query_location
};

const std::map<std::string_view, Shape>& shapes() {
  static const std::map<std::string_view, Shape> known{
      {"COLUMN_REF", {{"COLUMN_REF"}, {"column_names"}}},
      {"CONSTANT", {{"VALUE_CONSTANT"}, {"value"}}},
      {"FUNCTION",
       {{"FUNCTION"},
        {"function_name", "schema", "children", "filter", "order_bys", "distinct", "is_operator", "export_state",
         "catalog"}}},
      {"COMPARISON",
       {{"COMPARE_EQUAL", "COMPARE_NOTEQUAL", "COMPARE_LESSTHAN", "COMPARE_LESSTHANOREQUALTO", "COMPARE_GREATERTHAN",
         "COMPARE_GREATERTHANOREQUALTO"},
        {"left", "right"}}},
      {"BETWEEN", {{"COMPARE_BETWEEN"}, {"input", "lower", "upper"}}},
      {"CONJUNCTION", {{"CONJUNCTION_AND", "CONJUNCTION_OR"}, {"children"}}},
      {"OPERATOR",
       {{"OPERATOR_NOT", "OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL", "COMPARE_IN", "COMPARE_NOT_IN",
         "OPERATOR_COALESCE"},
        {"children"}}},
      {"CASE", {{"CASE_EXPR"}, {"case_checks", "else_expr"}}},
      {"CAST", {{"OPERATOR_CAST"}, {"child", "cast_type", "try_cast"}}},
  };
  return known;
}

// What is often tried and not accepted, by the parser's name of it, and what to write.
std::string_view advice(std::string_view kind) {
  static const std::map<std::string_view, std::string_view> sentences{
      {"STAR", "* stands only in COUNT(*); name the keys and statistics"},
      {"SUBQUERY",
       "a subquery is not accepted here: it must be tied to the row by its unit (WHERE inner.unit = outer.unit), or "
       "stand behind EXISTS or IN; ask for a number about everybody in a statement of its own, and write the number"},
      {"WINDOW", "a window (OVER) is not accepted; write GROUP BY"},
      {"PARAMETER", "a parameter is not accepted; write the value itself"},
      {"LAMBDA", "a lambda is not accepted; write a plain expression"},
      {"COLLATE", "COLLATE is not accepted; strings are compared byte by byte"},
      {"COMPARE_DISTINCT_FROM", "IS DISTINCT FROM and IS NOT TRUE are not accepted; write <>, = or IS NULL"},
      {"COMPARE_NOT_DISTINCT_FROM", "IS NOT DISTINCT FROM and IS TRUE are not accepted; write = or IS NULL"},
      {"ARRAY_EXTRACT", "x[1] is not accepted; write SUBSTRING(x, 1, 1) for a part of a text"},
      {"ARRAY_SLICE", "x[1:2] is not accepted; write SUBSTRING(x, 1, 2) for a part of a text"},
      {"ARRAY_CONSTRUCTOR", "lists in [ ] are not accepted; write a name alone or in double quotes"},
      {"OPERATOR_TRY", "TRY is not needed, since nothing here can fail; leave it out"},
  };
  const auto found = sentences.find(kind);
  return found == sentences.end() ? "this kind of expression is not accepted; " : found->second;
}

std::string unaccepted(std::string_view kind, std::string_view type) {
  std::string sentence(advice(advice(type).ends_with("; ") ? kind : type));
  if (sentence.ends_with("; ")) sentence += "write arithmetic, comparisons, CASE, BETWEEN, IN, IS NULL or COALESCE";
  return sentence;
}

template <class List>
bool holds(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool has_fields(const Json& node, const std::vector<std::string_view>& fields) {
  constexpr std::array<std::string_view, 4> common{"class", "type", "alias", "query_location"};
  if (node.size() != fields.size() + common.size()) return false;
  return std::all_of(node.items().begin(), node.items().end(),
                     [&](const auto& item) { return holds(common, item.key()) || holds(fields, item.key()); });
}

// The deepest nesting of brackets outside strings; nothing is built for it.
std::size_t nesting(std::string_view json) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if ((c == '}' || c == ']') && depth > 0) --depth;
  }
  return deepest;
}

// The parser counts characters, in a string, and not always.
std::optional<std::size_t> error_place(const Json& answer, std::string_view sql) {
  const auto found = answer.find("position");
  if (found == answer.end() || !found->is_string()) return std::nullopt;
  const auto& digits = found->get_ref<const std::string&>();
  std::size_t character = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), character);
  if (error != std::errc() || character > sql.size()) return std::nullopt;
  return byte_of_character(sql, character);
}

bool is_statement_of_another_kind(const Json& answer) { return answer.value("error_type", "") != "parser"; }

Failure unreadable(const Json& answer, std::string_view sql, const std::string& accepted) {
  if (is_statement_of_another_kind(answer)) {
    return Failure(with_caret({ErrorKind::invalid,
                               "only one SELECT statement is accepted",
                               {},
                               accepted.empty() ? "" : "write for example " + accepted},
                              sql, error_place(answer, sql)));
  }
  Error error{ErrorKind::invalid, "the statement cannot be read as SQL"};
  error.advice = hint_of(sql);
  if (error.advice.empty() && !accepted.empty()) error.advice = "an accepted one is " + accepted;
  return Failure(with_caret(std::move(error), sql, error_place(answer, sql)));
}

}  // namespace

tl::unexpected<Refusal> refuse(const Json& node, Error error) {
  return tl::unexpected(Refusal{std::move(error), place(node)});
}

tl::unexpected<Refusal> refuse(const Json& node, std::string problem, std::string advice) {
  return refuse(node, Error{ErrorKind::invalid, std::move(problem), {}, std::move(advice)});
}

tl::unexpected<Refusal> refuse_all(std::string problem, std::string advice) {
  return tl::unexpected(Refusal{Error{ErrorKind::invalid, std::move(problem), {}, std::move(advice)}});
}

namespace {

bool is_of(const Json& node, std::string_view kind) { return node.is_object() && node.value("class", Json()) == kind; }

bool has_object(const Json& node, const char* name) { return node.contains(name) && node.at(name).is_object(); }

// TRUE comes as CAST('t' AS BOOLEAN), which somebody may have written: a text that is no truth where it stands in a
// cell is none in a statement either.
void part_texts_from_truths(Json& node, std::string_view sql) {
  if (!node.is_structured()) return;
  for (Json& part : node) part_texts_from_truths(part, sql);
  const bool is_cast = is_of(node, "CAST") && has_object(node, "child") && has_object(node, "cast_type");
  if (!is_cast || node["cast_type"].value("id", Json()) != "BOOLEAN") return;
  Json& child = node["child"];
  if (!is_of(child, "CONSTANT") || !has_object(child, "value")) return;
  Json& value = child["value"]["value"];
  const bool is_truth = value == "t" || value == "f";
  if (!is_truth) return;
  const std::size_t at = place(node).value_or(sql.size());
  const std::string_view word = at < sql.size() ? sql.substr(at, value == "t" ? 4 : 5) : "";
  if (!same_name(word, value == "t" ? "true" : "false")) value = value.get<std::string>() + " ";
}

}  // namespace

Result<Json> read_tree(std::string_view answer, std::string_view sql, const std::string& accepted) {
  if (nesting(answer) > greatest_nesting) return invalid("the statement is nested too deeply", "write a shorter one");
  Json tree = Json::parse(answer, nullptr, false);
  if (tree.is_discarded()) return invalid("the statement has a number beyond 1e308", "write a smaller one");
  if (!tree.is_object() || !tree.contains("error") || tree["error"] != false) return unreadable(tree, sql, accepted);
  part_texts_from_truths(tree, sql);
  return tree;
}

bool has_exactly(const Json& object, std::initializer_list<std::string_view> fields) {
  if (!object.is_object() || object.size() != fields.size()) return false;
  return std::all_of(object.items().begin(), object.items().end(),
                     [&](const auto& item) { return holds(fields, item.key()); });
}

const std::string& text(const Json& node, const char* field) { return node.at(field).get_ref<const std::string&>(); }

const Json& list(const Json& node, const char* field) {
  const Json& found = node.at(field);
  static_cast<void>(found.get_ref<const Json::array_t&>());
  return found;
}

Read<void> check_shape(const Json& node) {
  const std::string& kind = text(node, "class");
  const std::string& type = text(node, "type");
  const auto shape = shapes().find(kind);
  if (shape == shapes().end() || !holds(shape->second.types, type)) return refuse(node, unaccepted(kind, type));
  if (!has_fields(node, shape->second.fields)) return refuse(node, "this expression has a part that is not known");
  return {};
}

std::optional<std::size_t> place(const Json& node) {
  if (!node.is_structured()) return std::nullopt;
  if (node.is_object()) {
    const auto own = node.find("query_location");
    if (own != node.end() && own->is_number_unsigned() && *own != UINT64_MAX) return own->get<std::size_t>();
  }
  for (const Json& part : node) {
    if (const auto found = place(part)) return found;
  }
  return std::nullopt;
}

}  // namespace vernier::query
