#include "vernier/query/read/table_set.hpp"

#include <algorithm>
#include <array>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/read/statistic.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

constexpr std::array<std::string_view, 3> evenness_names = {"cells", "tables", "total"};
constexpr std::string_view example_columns = "columns = [\"sex\", \"region\"]";
constexpr std::string_view example_table = "{ table = [\"sex\"], accuracy = 10 }";

std::string subject_of(const TomlTable& table) {
  for (const TomlEntry& entry : table) {
    const auto* const name = std::get_if<std::string>(&entry.node.content);
    if (entry.key == "name" && name != nullptr) return "the table " + in_quotes(*name);
  }
  return "this table";
}

std::string read_name(TableReader& reader) {
  const TomlNode* const node = reader.require("name", toml("name = \"people\""));
  const auto name = reader.text("name", "people");
  if (!name) return {};
  if (const auto fault = fault_of_name(*name)) {
    reader.refuse(node->place, "a table cannot have this name, since " + *fault, "choose another");
  }
  return *name;
}

std::optional<std::string> read_sql(TableReader& reader, std::string_view key, std::string_view example) {
  const auto text = reader.text(key, example);
  if (!text) return std::nullopt;
  if (const auto fault = fault_of_sql_part(*text)) {
    reader.refuse(reader.find(key)->place, reader.subject(key),
                  "must be a part of SQL such as " + in_quotes(example) + ", but " + *fault, {});
  }
  return text;
}

// A list of texts; none where it is something else.
std::optional<std::vector<std::string>> texts_of(const TomlNode& node) {
  const auto* const list = std::get_if<TomlArray>(&node.content);
  if (list == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const TomlNode& one : *list) {
    const auto* const text = std::get_if<std::string>(&one.content);
    if (text == nullptr || fault_of_sql_part(*text)) return std::nullopt;
    texts.push_back(*text);
  }
  return texts;
}

std::vector<std::string> read_columns(TableReader& reader) {
  const TomlNode* const node = reader.require("columns", toml(example_columns));
  if (node == nullptr) return {};
  auto columns = texts_of(*node);
  if (!columns || columns->empty() || columns->size() > 200) {
    reader.refuse(node->place, reader.subject("columns"),
                  "must be a list of 1 to 200 columns with public keys, such as [\"sex\", \"region\"]", {});
    return {};
  }
  return *std::move(columns);
}

std::vector<std::vector<std::string>> read_tables(TableReader& reader) {
  const TomlNode* const node = reader.find("tables");
  if (node == nullptr) return {};
  std::vector<std::vector<std::string>> tables;
  const auto* const list = std::get_if<TomlArray>(&node->content);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (auto one = texts_of((*list)[i])) tables.push_back(*std::move(one));
  }
  if (list == nullptr || list->empty() || tables.size() != list->size()) {
    reader.refuse(node->place, reader.subject("tables"),
                  "must be a list of lists of columns, such as [[\"sex\", \"region\"], [\"sex\"], []]", {});
  }
  return tables;
}

// One of the two says which tables there are.
void read_which(TableReader& reader, TableSet& set) {
  set.up_to = reader.whole("up_to", 0, greatest_up_to);
  set.tables = read_tables(reader);
  if (reader.find("up_to") != nullptr && reader.find("tables") != nullptr) {
    reader.refuse(reader.find("tables")->place, reader.name() + " has up_to and tables", "keep one of them");
  } else if (reader.find("up_to") == nullptr && reader.find("tables") == nullptr) {
    reader.refuse(reader.place(), reader.name() + " does not say which tables it has",
                  "write " + toml("up_to = 2") + " for all of 0 to 2 columns, or " +
                      toml("tables = [[\"sex\", \"region\"], []]"));
  }
}

std::optional<Rational> accuracy_of(TableReader& reader, const TomlNode& node) {
  auto accuracy = number_of(node);
  if (accuracy && *accuracy > Rational::of(0)) return accuracy;
  reader.refuse(node.place, reader.subject("accuracy"), "must be above 0 everywhere, but it is " + described(node), {});
  return std::nullopt;
}

void read_by_order(TableReader& reader, const TomlTable& table, std::vector<TableTarget>& targets) {
  for (const TomlEntry& entry : table) {
    const auto order = value_of_key(entry.key, Type::integer);
    const bool is_order =
        order && std::get<std::int64_t>(*order) >= 0 && std::get<std::int64_t>(*order) <= greatest_up_to;
    if (!is_order) {
      reader.refuse(entry.place, reader.subject("accuracy"),
                    "by order has a number for each number of columns, such as " + toml("{ 0 = 20, 1 = 40 }") +
                        ", but it has " + in_quotes(entry.key),
                    {});
      continue;
    }
    if (auto accuracy = accuracy_of(reader, entry.node)) {
      targets.push_back(
          {.order = std::get<std::int64_t>(*order), .accuracy = *std::move(accuracy), .place = entry.place});
    }
  }
}

void read_by_table(TableReader& reader, const TomlNode& node, std::vector<TableTarget>& targets,
                   std::vector<Problem>& problems) {
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    return reader.refuse(node.place, reader.subject("accuracy"),
                         "must have entries such as " + toml(example_table) + ", but it has " + described(node), {});
  }
  TableReader one(*table, node.place, "an accuracy of " + reader.name(), problems);
  const TomlNode* const columns = one.require("table", toml("table = [\"sex\"]"));
  const TomlNode* const accuracy = one.require("accuracy", toml("accuracy = 10"));
  one.finish();
  if (columns == nullptr || accuracy == nullptr) return;
  auto names = texts_of(*columns);
  auto value = accuracy_of(reader, *accuracy);
  if (!names)
    return reader.refuse(columns->place, one.subject("table"), "must be a list of columns such as [\"sex\"]", {});
  if (value) targets.push_back({.table = std::move(names), .accuracy = *std::move(value), .place = node.place});
}

std::vector<TableTarget> read_accuracy(TableReader& reader, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.find("accuracy");
  std::vector<TableTarget> targets;
  if (node == nullptr) return targets;
  if (const auto* const by_order = std::get_if<TomlTable>(&node->content)) {
    read_by_order(reader, *by_order, targets);
  } else if (const auto* const by_table = std::get_if<TomlArray>(&node->content)) {
    for (const TomlNode& one : *by_table) read_by_table(reader, one, targets, problems);
  } else if (auto accuracy = accuracy_of(reader, *node)) {
    targets.push_back({.accuracy = *std::move(accuracy), .place = node->place});
  }
  return targets;
}

Evenness read_evenness(TableReader& reader) {
  const auto word = reader.word("even", {evenness_names.begin(), evenness_names.end()});
  for (std::size_t i = 0; word && i < evenness_names.size(); ++i) {
    if (*word == evenness_names[i]) return static_cast<Evenness>(i);
  }
  return Evenness::cells;
}

Rational read_weight(TableReader& reader) {
  auto weight = reader.number("weight");
  if (!weight) return Rational::of(1);
  if (*weight < Rational::of_decimal("1e-6").value() || *weight > Rational::of_decimal("1e6").value()) {
    reader.refuse(reader.find("weight")->place, reader.subject("weight"),
                  "must be between 1e-6 and 1e6, where 1 is usual, but it is " + described(*reader.find("weight")), {});
  }
  return *std::move(weight);
}

// The name of a key, or false.
std::optional<std::string> read_rest(TableReader& reader) {
  const TomlNode* const node = reader.find("rest");
  if (node == nullptr) return "other";
  const auto* const flag = std::get_if<bool>(&node->content);
  if (flag != nullptr && !*flag) return std::nullopt;
  const auto* const text = std::get_if<std::string>(&node->content);
  if (text != nullptr && !fault_of_text(*text)) return *text;
  reader.refuse(
      node->place, reader.subject("rest"),
      "must be the name of a key such as \"other\", or false to leave such rows out, but it is " + described(*node),
      {});
  return std::nullopt;
}

void refuse_later(TableReader& reader) {
  for (const std::string_view key : {"public", "order", "values"}) {
    const TomlNode* const node = reader.find(key);
    if (node != nullptr) reader.refuse(node->place, reader.subject(key), "is not supported yet", "leave it out");
  }
}

}  // namespace

std::string_view name_of(Evenness evenness) { return evenness_names[static_cast<std::size_t>(evenness)]; }

std::string TableSet::statement() const {
  std::string sql = "SELECT ", places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sql += columns[i] + ", ";
    places += (i == 0 ? "" : ", ") + std::to_string(i + 1);
  }
  sql += "COUNT(*) AS \"count of rows\" FROM " + from;
  if (where) sql += " WHERE (" + *where + ")";
  return sql + " GROUP BY " + places;
}

TableSet read_table_set(const TomlNode& node, std::vector<Problem>& problems) {
  TableSet set{.name = {}, .from = {}, .weight = Rational::of(1), .place = node.place};
  const auto* const table = std::get_if<TomlTable>(&node.content);
  if (table == nullptr) {
    problems.push_back({node.place, "a table must be one that begins with [[table]], but it is " + described(node)});
    return set;
  }
  TableReader reader(*table, node.place, subject_of(*table), problems);
  set.name = read_name(reader);
  reader.require("from", toml("from = \"people\""));
  set.from = read_sql(reader, "from", "people").value_or("");
  set.where = read_sql(reader, "where", "age >= 15");
  set.columns = read_columns(reader);
  read_which(reader, set);
  set.accuracy = read_accuracy(reader, problems);
  set.even = read_evenness(reader);
  set.weight = read_weight(reader);
  set.max_rows = reader.whole("max_rows", 1, greatest_max_rows);
  set.rest = read_rest(reader);
  set.is_simultaneous = reader.boolean("simultaneous").value_or(false);
  refuse_later(reader);
  reader.finish();
  return set;
}

}  // namespace vernier::query
