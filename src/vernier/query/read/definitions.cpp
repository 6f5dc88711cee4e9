#include "vernier/query/read/definitions.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/read/table.hpp"

namespace vernier::query {
namespace {

template <class Named>
bool has_name(const std::vector<Named>& all, std::string_view name) {
  const std::string folded = fold_case(name);
  return std::any_of(all.begin(), all.end(), [&](const Named& one) { return fold_case(one.name) == folded; });
}

void refuse_name(const TomlEntry& entry, const std::string& what, std::vector<Problem>& problems) {
  const auto fault = fault_of_name(entry.key);
  if (!fault) return;
  problems.push_back({entry.place, what + " cannot have this name, since " + *fault, "choose another"});
}

// A bound as it was written; which of them fit is known once the expression has a type.
std::optional<Value> read_bound(TableReader& reader, const char* key) {
  const TomlNode* const node = reader.find(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* const day = std::get_if<Day>(&node->content)) return *day;
  if (const auto* const whole = std::get_if<std::int64_t>(&node->content)) return *whole;
  if (std::holds_alternative<TomlReal>(node->content)) {
    if (const auto number = number_of(*node)) return nearest(*number);
  }
  reader.refuse(node->place, reader.subject(key), "must be a number or a date, but it is " + described(*node), {});
  return std::nullopt;
}

std::optional<Range> read_bounds(TableReader& reader) {
  const bool has_lower = reader.find("lower") != nullptr, has_upper = reader.find("upper") != nullptr;
  const std::optional<Value> lower = read_bound(reader, "lower"), upper = read_bound(reader, "upper");
  if (has_lower != has_upper)
    reader.refuse(reader.find(has_lower ? "lower" : "upper")->place, reader.name(), "has one bound alone",
                  "write lower and upper, or none");
  if (!lower || !upper) return std::nullopt;
  return Range{*lower, *upper};
}

NamedExpression read_expression_of(const TomlEntry& entry, std::vector<Problem>& problems) {
  NamedExpression made{entry.key, "", {}, entry.place, entry.node.place};
  const std::string subject = "the expression " + in_quotes(entry.key);
  if (const auto* const sql = std::get_if<std::string>(&entry.node.content)) {
    made.sql = *sql;
    return made;
  }
  const auto* const content = std::get_if<TomlTable>(&entry.node.content);
  if (content == nullptr) {
    problems.push_back({entry.node.place, subject + " must be SQL such as \"age >= 18\", or " + term(Term::a_table) +
                                              " such as " +
                                              toml("{ sql = \"income / 12\", lower = 0, upper = 20000 }") +
                                              ", but it is " + described(entry.node)});
    return made;
  }
  TableReader reader(*content, entry.place, subject, problems);
  if (const TomlNode* const node = reader.require("sql", toml("sql = \"age >= 18\""))) made.sql_place = node->place;
  made.sql = reader.text("sql", "age >= 18").value_or("");
  made.range = read_bounds(reader);
  reader.finish();
  return made;
}

void check_view_table(TableReader& reader, const View& view, const std::vector<Table>& tables,
                      const std::vector<Table>& public_tables) {
  if (has_name(tables, view.table)) return;
  const Place place = reader.find("table")->place;
  if (has_name(public_tables, view.table)) {
    return reader.refuse(place, reader.subject("table"), "is " + in_quotes(view.table) + ", which is public",
                         "a view is of a table that is protected");
  }
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  reader.refuse(place, reader.subject("table"),
                "must be a table of this catalog, but it is " + in_quotes(view.table) + suggestion(view.table, names),
                "a view of a view is none");
}

View read_view(const TomlEntry& entry, const std::vector<Table>& tables, const std::vector<Table>& public_tables,
               std::vector<Problem>& problems) {
  View view{entry.key, "", "", entry.place, entry.place};
  const std::string subject = "the view " + in_quotes(entry.key);
  const auto* const content = std::get_if<TomlTable>(&entry.node.content);
  if (content == nullptr) {
    problems.push_back(
        {entry.node.place, subject + " must be " + term(Term::views) + ", but it is " + described(entry.node)});
    return view;
  }
  TableReader reader(*content, entry.place, subject, problems);
  reader.require("table", toml("table = \"people\""));
  const TomlNode* const where = reader.require("where", toml("where = \"age >= 18\""));
  if (where != nullptr) view.where_place = where->place;
  view.table = reader.text("table", "people").value_or("");
  view.where = reader.text("where", "age >= 18").value_or("");
  if (!view.table.empty()) check_view_table(reader, view, tables, public_tables);
  reader.finish();
  return view;
}

}  // namespace

std::vector<NamedExpression> read_expressions(TableReader& table, const std::vector<Column>& columns,
                                              std::vector<Problem>& problems) {
  const TomlTable* const entries = table.table("expressions", toml("{ adult = \"age >= 18\" }"));
  if (entries == nullptr) return {};
  refuse_duplicates(*entries, "expression", problems);
  std::vector<NamedExpression> made;
  for (const TomlEntry& entry : *entries) {
    refuse_name(entry, "an expression", problems);
    if (has_name(columns, entry.key)) {
      problems.push_back(
          {entry.place,
           "the expression " + in_quotes(entry.key) + " has the name of a column, and nobody could tell which is meant",
           "choose "
           "another"});
    }
    made.push_back(read_expression_of(entry, problems));
  }
  return made;
}

std::vector<View> read_views(TableReader& catalog, const std::vector<Table>& tables,
                             const std::vector<Table>& public_tables, std::vector<Problem>& problems) {
  const TomlTable* const entries = catalog.table("views", "[views.adults]");
  if (entries == nullptr) return {};
  refuse_duplicates(*entries, "view", problems);
  std::vector<View> views;
  for (const TomlEntry& entry : *entries) {
    refuse_name(entry, "a view", problems);
    if (has_name(tables, entry.key) || has_name(public_tables, entry.key)) {
      problems.push_back(
          {entry.place,
           "the view " + in_quotes(entry.key) + " has the name of a table, and nobody could tell which is meant",
           "choose "
           "another"});
    }
    views.push_back(read_view(entry, tables, public_tables, problems));
  }
  return views;
}

}  // namespace vernier::query
