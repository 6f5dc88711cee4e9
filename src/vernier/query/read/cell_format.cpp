#include "vernier/query/read/cell_format.hpp"

#include <algorithm>
#include <array>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

bool is_number(Type type) { return type == Type::integer || type == Type::real; }

// Whether a column of the type has a use for the key, and the columns that it is for.
struct Use {
  bool fits;
  const char* of;
};
Use use_of(std::string_view key, Type type) {
  if (key == "decimal_mark" || key == "thousands") return {is_number(type), "numbers"};
  if (key == "date_format") return {type == Type::date, "dates"};
  if (key == "trim") return {type == Type::string, "strings"};
  return {type == Type::boolean, "booleans"};
}

void read_decimal_mark(TableReader& reader, CellFormat& format) {
  if (const auto mark = reader.word("decimal_mark", {".", ","})) format.decimal_mark = mark->front();
}

void read_thousands(TableReader& reader, CellFormat& format) {
  const auto mark = reader.text("thousands", ".");
  if (!mark) return;
  const auto refuse = [&](const std::string& problem, const std::string& advice) {
    reader.refuse(reader.find("thousands")->place, reader.subject("thousands"), problem, advice);
  };
  constexpr std::array<std::string_view, 6> marks = {",", ".", " ", "'", "\u00a0", "\u202f"};
  if (std::find(marks.begin(), marks.end(), *mark) == marks.end())
    return refuse("must be one of \",\", \".\", \"'\" or a blank, but it is " + in_quotes(*mark), {});
  if (mark->front() == format.decimal_mark)
    return refuse(
        "is the decimal mark too, so that nothing tells 1.500 from 1,500",
        "write " + toml(*mark == "," ? "decimal_mark = \".\"" : "decimal_mark = \",\"") + ", or leave thousands out");
  format.thousands = *mark;
}

void read_date_format(TableReader& reader, CellFormat& format) {
  const auto text = reader.text("date_format", "%d.%m.%Y");
  if (!text) return;
  if (const auto fault = fault_of_date_format(*text)) {
    return reader.refuse(reader.find("date_format")->place, reader.subject("date_format"),
                         "must have " + *fault + ", but it is " + in_quotes(*text), "write for example \"%d.%m.%Y\"");
  }
  format.date_format = *text;
}

const TomlArray* read_list(TableReader& reader, const char* key, const std::string& example) {
  const TomlNode* const node = reader.find(key);
  if (node == nullptr) return nullptr;
  const auto* const list = std::get_if<TomlArray>(&node->content);
  if (list != nullptr && !list->empty()) return list;
  reader.refuse(node->place, reader.subject(key),
                "must be a list such as " + example + ", but it is " + (list != nullptr ? "empty" : described(*node)),
                {});
  return nullptr;
}

void read_words(TableReader& reader, const char* key, const std::string& example, std::vector<std::string>& words) {
  const TomlArray* const list = read_list(reader, key, example);
  if (list == nullptr) return;
  words.clear();
  for (const TomlNode& node : *list) {
    const auto* const word = std::get_if<std::string>(&node.content);
    if (word == nullptr || word->empty())
      reader.refuse(node.place, reader.subject(key), "must be texts, but one is " + described(node),
                    "write " + example);
    else
      words.push_back(fold_case(*word));
  }
}

// One word cannot mean both.
void refuse_common_words(TableReader& reader, const CellFormat& format) {
  for (const std::string& word : format.true_words) {
    if (std::find(format.false_words.begin(), format.false_words.end(), word) == format.false_words.end()) continue;
    const TomlNode* const node = reader.find("true_words");
    reader.refuse(node != nullptr ? node->place : reader.place(), reader.subject("true_words"),
                  "and false_words both have " + in_quotes(word), "leave it out of one of them");
  }
}

void read_texts(TableReader& reader, CellFormat& format) {
  read_decimal_mark(reader, format);
  read_thousands(reader, format);
  read_date_format(reader, format);
  read_words(reader, "true_words", "[\"yes\", \"y\"]", format.true_words);
  read_words(reader, "false_words", "[\"no\", \"n\"]", format.false_words);
  refuse_common_words(reader, format);
  if (const auto trim = reader.boolean("trim")) format.trim = *trim;
}

// What the node is in the type; none where it is nothing there.
std::optional<Value> missing_value(const TomlNode& node, Type type) {
  if (type != Type::real) return value_of(node, type);
  const std::optional<numeric::Rational> number = number_of(node);
  return number ? std::optional<Value>(nearest(*number)) : std::nullopt;
}

void add_missing(const TomlArray& nodes, Type type, CellFormat& format) {
  for (const TomlNode& node : nodes) {
    if (const auto* const text = std::get_if<std::string>(&node.content)) format.missing_texts.push_back(*text);
    if (const std::optional<Value> value = missing_value(node, type)) format.missing_values.push_back(*value);
  }
}

constexpr const char* missing_example = "[\"NA\", -9]";

// A column's own codes must be able to occur in it.
void refuse_other_types(TableReader& reader, const TomlArray& nodes, Type type) {
  for (const TomlNode& node : nodes) {
    if (std::holds_alternative<std::string>(node.content) || missing_value(node, type)) continue;
    reader.refuse(node.place, reader.subject("missing"),
                  "must be texts or values of type " + std::string(name_of(type)) + ", but one is " + described(node),
                  {});
  }
}

}  // namespace

DeclaredFormat read_format_of_table(TableReader& reader) {
  DeclaredFormat format;
  read_texts(reader, format.texts);
  if (const TomlArray* const missing = read_list(reader, "missing", missing_example)) format.missing = *missing;
  return format;
}

CellFormat read_format_of_column(TableReader& reader, Type type, const DeclaredFormat& of_table) {
  for (const char* const key : text_format_keys) {
    const TomlNode* const node = reader.find(key);
    const Use use = use_of(key, type);
    if (node == nullptr || use.fits) continue;
    reader.refuse(node->place, reader.subject(key),
                  std::string("is for ") + use.of + ", but the column is of type " + std::string(name_of(type)),
                  "leave it out");
  }
  CellFormat format = of_table.texts;
  read_texts(reader, format);
  const TomlArray* const own = read_list(reader, "missing", missing_example);
  if (own != nullptr) refuse_other_types(reader, *own, type);
  add_missing(own != nullptr ? *own : of_table.missing, type, format);
  return format;
}

void refuse_text_formats(TableReader& reader, SourceKind source) {
  const auto refuse = [&](const char* key, const std::string& problem) {
    if (const TomlNode* const node = reader.find(key))
      reader.refuse(node->place, reader.subject(key), problem, "leave it out");
  };
  const bool is_table = source == SourceKind::table;
  const std::string kind = is_table ? "a table of the engine" : source == SourceKind::parquet ? "Parquet" : "Arrow";
  for (const char* const key : text_format_keys)
    refuse(key, "says how the cells of CSV are written, but the source is " + kind);
  if (is_table)
    refuse("missing", "is for files, but the source is " + kind + ", where a view can leave such values out");
}

}  // namespace vernier::query
