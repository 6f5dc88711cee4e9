#include <algorithm>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/query_nodes.hpp"

// WITH and subqueries behind FROM that are about single rows: SELECT expressions FROM t WHERE ... Each of their rows is
// a row of the table, so that nothing is multiplied, and a unit keeps its rows; their columns are put in place of their
// names, and the statement becomes one over the table itself.
namespace vernier::query {
namespace {

constexpr std::size_t most_queries = 20;

tl::unexpected<Refusal> not_by_rows(const Json& node, const std::string& part) {
  return refuse(node,
                part + " inside of a query behind FROM is not accepted, since its rows must be those of the table",
                "write it in the outer SELECT");
}

// Whether it makes one row of several.
bool is_grouped(const Json& node) {
  return !list(node, "group_expressions").empty() || !list(node, "group_sets").empty() ||
         text(node, "aggregate_handling") != "STANDARD_HANDLING" || is_distinct(list(node, "modifiers"));
}

Read<void> check_rows(const Json& node) {
  if (const Read<void> checked = check_select(node); !checked) return checked;
  if (!node.at("having").is_null()) {
    return refuse(node.at("having"), "HAVING inside of a query behind FROM is not accepted",
                  "give the statistic a name, and write the condition into WHERE of the outer SELECT");
  }
  for (const Json& modifier : list(node, "modifiers")) {
    const std::string& type = text(modifier, "type");
    if (type == "ORDER_MODIFIER" || type == "DISTINCT_MODIFIER") continue;  // rows of a table have no order
    return not_by_rows(node, "LIMIT");
  }
  return {};
}

std::vector<Key> all_columns(const Scope& scope) {
  if (!scope.projected.empty()) return scope.projected;
  std::vector<Key> all;
  for (const Column& one : scope.table.columns) all.push_back({column(one), one.name});
  return all;
}

Read<Key> read_item(const Json& item, const Scope& scope) {
  if (has_statistic(item)) return not_by_rows(item, "a statistic");
  Json bare = item;
  bare["alias"] = "";
  const Read<Expression> x = read_expression(bare, scope);
  if (!x) return tl::unexpected(x.error());
  const bool is_name = text(item, "class") == "COLUMN_REF";
  std::string name = text(item, "alias");
  if (name.empty() && is_name) name = list(item, "column_names").back().get<std::string>();
  if (name.empty()) return refuse(item, "an expression of a query behind FROM needs a name", "write AS and a name");
  return Key{*x, name};
}

Read<std::vector<Key>> read_items(const Json& items, const Scope& scope) {
  std::vector<Key> all;
  for (const Json& item : items) {
    std::vector<Key> added;
    if (is_plain_star(item)) {
      added = all_columns(scope);
    } else {
      const Read<Key> one = read_item(item, scope);
      if (!one) return tl::unexpected(one.error());
      added = {*one};
    }
    for (Key& one : added) {
      if (std::any_of(all.begin(), all.end(), [&](const Key& other) { return same_name(one.name, other.name); })) {
        return refuse(item, "two columns are named \"" + shown(one.name) + "\"", "give one another name with AS");
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace

Read<CommonTables> with_common_tables(const Json& node, CommonTables named) {
  for (const Json& one : list(node.at("cte_map"), "map")) {
    const Json& value = one.at("value");
    const bool is_known = value.contains("query") && value.at("query").contains("node") &&
                          value.value("aliases", Json::array()).empty() &&
                          value.value("key_targets", Json::array()).empty();
    if (!is_known) return refuse(node, "this WITH has a part that is not known", "write WITH name AS (SELECT ...)");
    named.push_back({text(one, "key"), &value.at("query").at("node")});
  }
  if (named.size() > most_queries) return refuse(node, "at most 20 queries stand in WITH", "leave some out");
  return named;
}

Read<Scope> read_rows(const Json& node, const std::string& alias, const Catalog& catalog, const ParseSql& parse,
                      CommonTables named) {
  if (const Read<void> checked = check_rows(node); !checked) return tl::unexpected(checked.error());
  const Read<CommonTables> common = with_common_tables(node, std::move(named));
  if (!common) return tl::unexpected(common.error());
  Sources sources = sources_of(node, catalog, *common);
  Read<Scope> scope = read_from(sources.from, catalog, parse, *common);
  if (scope) scope = with_subqueries(*std::move(scope), sources.where, catalog);
  if (!scope) return scope;
  const Read<std::optional<Expression>> filter = read_where(sources.where, *scope);
  if (!filter) return tl::unexpected(filter.error());
  if (is_grouped(node)) {
    scope->filter = *filter;
    return read_per_unit(node, alias, *std::move(scope));
  }
  Read<std::vector<Key>> items = read_items(list(node, "select_list"), *scope);
  if (!items) return tl::unexpected(items.error());
  scope->filter = *filter;
  scope->projected = *std::move(items);
  scope->sources = {{alias, 0, scope->table.columns.size()}};
  return scope;
}

}  // namespace vernier::query
