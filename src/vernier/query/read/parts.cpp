#include "vernier/query/read/parts.hpp"

#include "vernier/core/names.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/read/statistic.hpp"

namespace vernier::query {
namespace {

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n"), to = text.find_last_not_of(" \t\r\n");
  return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

}  // namespace

Part part_of(const std::string& written) {
  const std::string text = trimmed(written);
  std::size_t word = text.size();
  while (word > 0 && is_word_character(text[word - 1])) --word;
  const std::string head = trimmed(text.substr(0, word)), name = text.substr(word);
  const bool is_named = !name.empty() && head.size() > 3 && fold_case(head.substr(head.size() - 2)) == "as" &&
                        (head[head.size() - 3] == ' ' || head[head.size() - 3] == ')') && head.size() < word;
  if (!is_named) return {text, text};
  return {trimmed(head.substr(0, head.size() - 2)), name};
}

namespace {

std::optional<std::vector<Part>> parts_of(const TomlNode& node) {
  const auto* const list = std::get_if<TomlArray>(&node.content);
  if (list == nullptr) return std::nullopt;
  std::vector<Part> parts;
  for (const TomlNode& one : *list) {
    const auto* const text = std::get_if<std::string>(&one.content);
    if (text == nullptr || fault_of_sql_part(*text)) return std::nullopt;
    parts.push_back(part_of(*text));
  }
  return parts;
}

}  // namespace

std::string subject_of(const TomlTable& table, std::string_view kind) {
  for (const TomlEntry& entry : table) {
    const auto* const name = std::get_if<std::string>(&entry.node.content);
    if (entry.key == "name" && name != nullptr) return "the " + std::string(kind) + " " + in_quotes(*name);
  }
  return "this " + std::string(kind);
}

std::string read_name(TableReader& reader, std::string_view kind, std::string_view example) {
  const TomlNode* const node = reader.require("name", "name = \"" + std::string(example) + "\"");
  const auto name = reader.text("name", example);
  if (!name) return {};
  if (const auto fault = fault_of_name(*name)) {
    reader.refuse(node->place, "a " + std::string(kind) + " cannot have this name, since " + *fault, "choose another");
  }
  return *name;
}

std::optional<std::string> read_part(TableReader& reader, std::string_view key, std::string_view example) {
  const auto text = reader.text(key, example);
  if (!text) return std::nullopt;
  if (const auto fault = fault_of_sql_part(*text)) {
    reader.refuse(reader.find(key)->place, reader.subject(key),
                  "must be a part of SQL such as " + in_quotes(example) + ", but " + *fault, {});
  }
  return text;
}

std::string needed_part(TableReader& reader, std::string_view key, std::string_view example) {
  reader.require(key, std::string(key) + " = \"" + std::string(example) + "\"");
  return read_part(reader, key, example).value_or("");
}

std::vector<Part> needed_parts(TableReader& reader, std::string_view key, const HowMany& how_many) {
  const TomlNode* const node = reader.require(key, std::string(key) + " = [\"age\", \"educ\"]");
  if (node == nullptr) return {};
  auto parts = parts_of(*node);
  if (parts && parts->size() >= how_many.least && parts->size() <= how_many.most) return *std::move(parts);
  reader.refuse(node->place, reader.subject(key),
                "must be a list of " + std::to_string(how_many.least) + " to " + std::to_string(how_many.most) +
                    " expressions with bounds, such as [\"age\", \"educ\"]",
                {});
  return {};
}

std::vector<Part> read_groups(TableReader& reader) {
  const TomlNode* const node = reader.find("group_by");
  if (node == nullptr) return {};
  auto parts = parts_of(*node);
  if (parts && !parts->empty()) return *std::move(parts);
  reader.refuse(node->place, reader.subject("group_by"), "must be a list of columns, such as [\"region\"]", {});
  return {};
}

std::string select_of(const std::vector<Part>& groups, const std::string& columns, const std::string& from,
                      const std::optional<std::string>& where) {
  std::string sql = "SELECT ", keys;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    sql += groups[i].sql + " AS " + quoted_identifier(groups[i].name) + ", ";
    keys += (i == 0 ? " GROUP BY " : ", ") + std::to_string(i + 1);
  }
  sql += columns + " FROM " + from;
  if (where) sql += " WHERE (" + *where + ")";
  return sql + keys;
}

}  // namespace vernier::query
