#include <algorithm>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/query_nodes.hpp"

// SELECT AVG(x) - (SELECT AVG(x) FROM t WHERE a) FROM t WHERE b: both read the same tables, and each statistic takes
// the rows of its own condition: SELECT AVG(x) FILTER (WHERE b) - AVG(x) FILTER (WHERE a) FROM t. So do queries of one
// row beside each other behind FROM.
namespace vernier::query {
namespace {

Json without_places(Json node) {
  if (!node.is_structured()) return node;
  if (node.is_object()) node.erase("query_location");
  for (Json& part : node) part = without_places(std::move(part));
  return node;
}

bool is_grouped(const Json& node) {
  return !list(node, "group_expressions").empty() || !list(node, "group_sets").empty() ||
         text(node, "aggregate_handling") != "STANDARD_HANDLING";
}

// One row of statistics, and nothing chosen.
bool has_one_row(const Json& node) {
  return is_select(node) && !is_grouped(node) && node.at("having").is_null() && node.at("qualify").is_null() &&
         node.at("sample").is_null() && list(node, "modifiers").empty() && has_statistic(list(node, "select_list")) &&
         list(node.at("cte_map"), "map").empty() && !has_query(list(node, "select_list")) &&
         !has_query(node.at("where_clause"));
}

bool is_scalar_query(const Json& node) {
  return node.is_object() && node.contains("subquery") && node.value("subquery_type", "") == "SCALAR" &&
         node.at("subquery").contains("node");
}

// The tables that all parts of a statement read, and under which condition each of them.
struct Reading {
  Json from = nullptr;
  bool is_same = true;

  void add(const Json& other) {
    if (from.is_null()) from = other;
    is_same = is_same && without_places(from) == without_places(other);
  }
};

void add_filter(Json& node, const Json& condition) {
  if (!node.is_structured() || condition.is_null()) return;
  const bool is_one = node.is_object() && node.contains("function_name") && is_statistic(text(node, "function_name"));
  if (!is_one) {
    for (Json& part : node) add_filter(part, condition);
    return;
  }
  node["filter"] = both(node.at("filter"), condition);
}

bool are_readable(const Json& node, Reading& reading) {
  if (!node.is_structured()) return true;
  if (is_scalar_query(node)) {
    const Json& query = node.at("subquery").at("node");
    if (!has_one_row(query) || list(query, "select_list").size() != 1) return false;
    reading.add(query.at("from_table"));
    return true;
  }
  return std::all_of(node.begin(), node.end(), [&](const Json& part) { return are_readable(part, reading); });
}

void write_scalar_queries(Json& node) {
  if (!node.is_structured()) return;
  if (!is_scalar_query(node)) {
    for (Json& part : node) write_scalar_queries(part);
    return;
  }
  const Json query = node.at("subquery").at("node");
  Json made = list(query, "select_list")[0];
  add_filter(made, query.at("where_clause"));
  made["alias"] = node.value("alias", "");
  node = std::move(made);
}

// Subqueries among the statistics.
void write_subqueries(Json& node) {
  Json& items = node.at("select_list");
  if (is_grouped(node) || !has_query(items) || !node.at("having").is_null() || has_query(node.at("where_clause")))
    return;
  Reading reading;
  const bool has_table = node.at("from_table").value("type", "") != "EMPTY";
  if (has_table) reading.add(node.at("from_table"));
  if (!are_readable(items, reading) || !reading.is_same || reading.from.is_null()) return;
  if (has_table && !node.at("where_clause").is_null()) {
    for (Json& item : items) add_filter(item, node.at("where_clause"));
    node["where_clause"] = nullptr;
  }
  write_scalar_queries(items);
  node["from_table"] = reading.from;
}

bool stands_beside(const Json& from) {
  if (!is_join(from)) return true;
  const bool is_cross = text(from, "ref_type") == "CROSS" && from.at("condition").is_null();
  return is_cross && stands_beside(from.at("left")) && stands_beside(from.at("right"));
}

struct Row {
  std::string alias;
  Json query;
};

// The column of one of the queries.
std::optional<Json> meant_by(const Json& column, const std::vector<Row>& rows) {
  const Json& names = list(column, "column_names");
  std::optional<Json> found;
  for (const Row& row : rows) {
    if (names.size() > 2 || (names.size() == 2 && !same_name(names[0].get<std::string>(), row.alias))) continue;
    for (const Json& item : list(row.query, "select_list")) {
      if (!same_name(name_of_item(item), names.back().get<std::string>())) continue;
      if (found) return std::nullopt;
      found = item;
      (*found)["alias"] = "";
      add_filter(*found, row.query.at("where_clause"));
    }
  }
  return found;
}

bool knows_all(const Json& node, const std::vector<Row>& rows) {
  if (!node.is_structured()) return true;
  if (is_column(node)) return meant_by(node, rows).has_value();
  return std::all_of(node.begin(), node.end(), [&](const Json& part) { return knows_all(part, rows); });
}

// FROM (SELECT COUNT(*) AS n FROM t WHERE a) AS x, (SELECT COUNT(*) AS m FROM t) AS y
void write_rows_beside(Json& node, const NamedQueries& named) {
  Json from = node.at("from_table");
  if (!is_join(from) || !stands_beside(from) || is_grouped(node) || !node.at("where_clause").is_null() ||
      !node.at("having").is_null() || has_statistic(list(node, "select_list")) || has_query(list(node, "select_list")))
    return;
  std::vector<Row> rows;
  Reading reading;
  for (const Json* const leaf : leaves_of(from)) {
    const std::optional<QueryAt> query = query_at(*leaf, named);
    if (!query || !has_one_row(query->node) || !list(*leaf, "column_name_alias").empty()) return;
    rows.push_back({called(*leaf), query->node});
    reading.add(query->node.at("from_table"));
  }
  Json& items = node.at("select_list");
  if (!reading.is_same || !knows_all(items, rows)) return;
  for (Json& item : items) {
    if (is_column(item) && text(item, "alias").empty()) item["alias"] = list(item, "column_names").back();
    replace_columns(item, [&](const Json& column) { return meant_by(column, rows); });
  }
  node["from_table"] = reading.from;
}

}  // namespace

void write_queries_of_one_row(Json& node, const NamedQueries& named) {
  write_subqueries(node);
  write_rows_beside(node, named);
}

}  // namespace vernier::query
