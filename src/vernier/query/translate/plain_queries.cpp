#include "vernier/query/translate/plain_queries.hpp"

#include <algorithm>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/query_nodes.hpp"

namespace vernier::query {
namespace {

// ---- names of tables

// A catalog has tables without schemas: of SmartNoise's PUMS.PUMS and of `project.data.people` the last part counts,
// unless a table has the whole name.
void write_table_name(Json& base, const Catalog& catalog) {
  std::string full;
  for (const char* const part : {"catalog_name", "schema_name", "table_name"}) {
    const std::string& name = text(base, part);
    if (!name.empty()) full += (full.empty() ? "" : ".") + name;
  }
  const std::string last = full.substr(full.rfind('.') == std::string::npos ? 0 : full.rfind('.') + 1);
  if (last == full) return;
  const bool is_whole = catalog_table(catalog, full) != nullptr;
  if (!is_whole && catalog_table(catalog, last) == nullptr) return;
  base["table_name"] = is_whole ? full : last;
  base["schema_name"] = base["catalog_name"] = "";
}

void write_table_names(Json& node, const Catalog& catalog) {
  if (!node.is_structured()) return;
  for (Json& part : node) write_table_names(part, catalog);
  if (is_base(node) && node.contains("table_name")) write_table_name(node, catalog);
  if (!is_column(node)) return;
  const Json& names = list(node, "column_names");  // schema.table.column
  if (names.size() > 2) node["column_names"] = Json::array({names[names.size() - 2], names.back()});
}

// ---- AS t (a, b)

// Whether there are as many, so that they could be written.
bool name_items(Json& query, const Json& names) {
  if (!is_select(query)) return false;
  Json& items = query.at("select_list");
  const bool has_star =
      std::any_of(items.begin(), items.end(), [](const Json& one) { return text(one, "class") == "STAR"; });
  if (has_star || names.size() > items.size()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) items[i]["alias"] = names[i];
  return true;
}

// ---- (a AND b) OR (a AND c)

Json without_places(Json node) {
  if (!node.is_structured()) return node;
  if (node.is_object()) node.erase("query_location");
  for (Json& part : node) part = without_places(std::move(part));
  return node;
}

bool is_equality(const Json& node) { return node.value("type", "") == "COMPARE_EQUAL"; }

std::vector<Json> bare(const std::vector<Json>& parts) {
  std::vector<Json> made;
  for (const Json& one : parts) made.push_back(without_places(one));
  return made;
}

// Equalities that every part of an OR has stand before it, where joins look for them.
std::vector<Json> common_equalities(const Json& either) {
  const Json& children = list(either, "children");
  std::vector<Json> common;
  std::vector<std::vector<Json>> others;
  for (const Json& child : children) others.push_back(bare(conjuncts(child)));
  for (Json& one : conjuncts(children.at(0))) {
    const Json plain = without_places(one);
    const bool is_common = is_equality(one) && std::all_of(others.begin(), others.end(), [&](const auto& parts) {
                             return std::find(parts.begin(), parts.end(), plain) != parts.end();
                           });
    if (is_common) common.push_back(std::move(one));
  }
  return common;
}

// What is left of an OR; null where one part of it had nothing else.
Json without_common(Json either, const std::vector<Json>& common) {
  const std::vector<Json> plain = bare(common);
  for (Json& child : either.at("children")) {
    std::vector<Json> rest;
    for (Json& one : conjuncts(child)) {
      if (std::find(plain.begin(), plain.end(), without_places(one)) == plain.end()) rest.push_back(std::move(one));
    }
    if (rest.empty()) return nullptr;
    child = all_of(rest);
  }
  return either;
}

void write_common_conditions(Json& where) {
  std::vector<Json> parts;
  for (Json& one : conjuncts(where)) {
    const bool is_or = text(one, "class") == "CONJUNCTION" && text(one, "type") == "CONJUNCTION_OR";
    const std::vector<Json> common = is_or ? common_equalities(one) : std::vector<Json>();
    parts.insert(parts.end(), common.begin(), common.end());
    Json rest = common.empty() ? std::move(one) : without_common(std::move(one), common);
    if (!rest.is_null()) parts.push_back(std::move(rest));
  }
  where = all_of(parts);
}

// ---- joins

// Columns that both have, as the catalog declares them.
void write_natural(Json& join, const Catalog& catalog) {
  const Json &left = join.at("left"), &right = join.at("right");
  if (text(join, "ref_type") != "NATURAL" || !is_base(left) || !is_base(right)) return;
  const Table* const one = catalog_table(catalog, text(left, "table_name"));
  const Table* const other = catalog_table(catalog, text(right, "table_name"));
  if (one == nullptr || other == nullptr) return;
  Json common = Json::array();
  for (const Column& column : seen(*one).columns) {
    if (seen(*other).column(column.name) != nullptr) common.push_back(column.name);
  }
  if (common.empty()) return;
  join["ref_type"] = "REGULAR";
  join["using_columns"] = std::move(common);
}

bool is_protected(const Json& leaf, const Catalog& catalog) {
  const Table* const table = is_base(leaf) ? catalog_table(catalog, text(leaf, "table_name")) : nullptr;
  return table != nullptr && !table->is_public;
}

// a RIGHT JOIN b is b LEFT JOIN a.
void write_right(Json& join, const Catalog& catalog) {
  const bool is_right = text(join, "ref_type") == "REGULAR" && text(join, "join_type") == "RIGHT";
  if (!is_right || !is_protected(join.at("left"), catalog) || !is_protected(join.at("right"), catalog)) return;
  std::swap(join["left"], join["right"]);
  join["join_type"] = "LEFT";
}

void write_joins(Json& from, const Catalog& catalog) {
  if (!is_join(from)) return;
  write_joins(from.at("left"), catalog);
  write_joins(from.at("right"), catalog);
  write_natural(from, catalog);
  write_right(from, catalog);
}

// ---- a LEFT JOIN b ON a.x = b.x WHERE b.x IS NULL

// Whether it is a column of the table, which stands before its name.
bool is_of(const Json& side, const Json& leaf) {
  if (!is_column(side)) return false;
  const Json& names = list(side, "column_names");
  return names.size() == 2 && same_name(names[0].get<std::string>(), called(leaf));
}

bool is_joined_by(const Json& join, const std::string& name) {
  const Json& leaf = join.at("right");
  for (const Json& one : list(join, "using_columns")) {
    if (same_name(one.get<std::string>(), name)) return true;
  }
  for (const Json& one : conjuncts(join.at("condition"))) {
    if (!is_equality(one)) continue;
    for (const char* const side : {"left", "right"}) {
      const Json& column = one.at(side);
      if (is_of(column, leaf) && same_name(list(column, "column_names")[1].get<std::string>(), name)) return true;
    }
  }
  return false;
}

std::size_t mentions(const Json& node, const Json& leaf) {
  if (!node.is_structured()) return 0;
  if (is_column(node)) return is_of(node, leaf) ? 1 : 0;
  std::size_t count = 0;
  for (const Json& part : node) count += mentions(part, leaf);
  return count;
}

// Rows that find none, or those that find some, where nothing else is asked of the table.
void write_found(Json& join, Json& node) {
  if (!is_join(join)) return;
  write_found(join.at("left"), node);
  const Json& leaf = join.at("right");
  if (text(join, "ref_type") != "REGULAR" || text(join, "join_type") != "LEFT" || !is_base(leaf)) return;
  std::vector<Json> rest = conjuncts(node.at("where_clause"));
  const auto asks = [&](const Json& one, const char* type) {
    return text(one, "type") == type && is_of(list(one, "children").at(0), leaf) &&
           is_joined_by(join, list(list(one, "children")[0], "column_names")[1].get<std::string>());
  };
  const auto found = std::find_if(rest.begin(), rest.end(), [&](const Json& one) {
    return text(one, "class") == "OPERATOR" && (asks(one, "OPERATOR_IS_NULL") || asks(one, "OPERATOR_IS_NOT_NULL"));
  });
  if (found == rest.end()) return;
  const bool is_lacking = text(*found, "type") == "OPERATOR_IS_NULL";
  std::size_t others = 0;
  for (const char* const field :
       {"select_list", "from_table", "where_clause", "group_expressions", "having", "modifiers"})
    others += mentions(node.at(field), leaf);
  others -= 1 + mentions(join.at("condition"), leaf);
  if (is_lacking && others > 0) return;
  join["join_type"] = is_lacking ? "ANTI" : "INNER";
  rest.erase(found);
  node["where_clause"] = all_of(rest);
}

// ---- FROM (SELECT unit FROM t GROUP BY unit HAVING COUNT(*) > 3)

// The groups of an inner query are rows of the outer one, and its HAVING is a condition on these.
void write_inner_having(Json& node) {
  Json& from = node.at("from_table");
  if (from.value("type", "") != "SUBQUERY" || !has_statistic(list(node, "select_list"))) return;
  if (!from.at("subquery").contains("node") || !list(from, "column_name_alias").empty()) return;
  Json& inner = from.at("subquery").at("node");
  if (!is_select(inner) || inner.at("having").is_null() || list(inner, "group_expressions").empty()) return;
  Json condition = inner.at("having"), items = list(inner, "select_list");
  std::size_t count = 0;
  name_statistics(condition, " having ", items, count);
  inner["select_list"] = std::move(items);
  inner["having"] = nullptr;
  node["where_clause"] = both(node.at("where_clause"), condition);
}

// ---- all queries of a statement, the inner ones first

void write_query(Json& node, NamedQueries named, const Catalog& catalog) {
  if (!is_select(node)) return;
  for_each_query(node, [&](const std::string& name, Json& query, Json& entry) {
    if (entry.contains("aliases") && name_items(query, entry.at("aliases"))) entry["aliases"] = Json::array();
    write_query(query, named, catalog);
    named.push_back({name, query});
  });
  for (Json* const leaf : leaves_of(node.at("from_table"))) {
    if (leaf->value("type", "") != "SUBQUERY" || !leaf->at("subquery").contains("node")) continue;
    Json& query = leaf->at("subquery").at("node");
    if (name_items(query, list(*leaf, "column_name_alias"))) (*leaf)["column_name_alias"] = Json::array();
    write_query(query, named, catalog);
  }
  write_common_conditions(node.at("where_clause"));
  write_rows_as_tables(node, named, catalog);
  write_joins(node.at("from_table"), catalog);
  Json from = node.at("from_table");
  write_found(from, node);
  node["from_table"] = std::move(from);
  write_queries_of_one_row(node, named);
  write_totals_of_groups(node, named, catalog);
  write_choice_as_having(node, named);
  write_inner_having(node);
}

}  // namespace

void write_plain_queries(Json& tree, const Catalog& catalog) {
  write_table_names(tree, catalog);
  for (Json& statement : tree.at("statements")) {
    if (statement.is_object() && statement.contains("node")) write_query(statement.at("node"), {}, catalog);
  }
}

}  // namespace vernier::query
