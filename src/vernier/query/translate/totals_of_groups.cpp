#include <algorithm>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/query_nodes.hpp"

// SELECT SUM(n), COUNT(*) FROM (SELECT region, COUNT(*) AS n FROM t GROUP BY region): the groups are parts of the rows,
// so that what they count and add up to in all is what the rows do, and the groups are as many as keys differ. With
// exact numbers both are the same; measured, it is one number with the noise of one, and not a sum of many.
namespace vernier::query {
namespace {

std::string function_of(const Json& node) {
  return node.is_object() && node.contains("function_name") ? text(node, "function_name") : "";
}

bool is_plain_statistic(const Json& node) {
  const std::string name = function_of(node);
  return !name.empty() && is_statistic(name) && node.at("filter").is_null();
}

bool is_count(const Json& item) {
  const std::string name = function_of(item);
  return is_plain_statistic(item) && (name == "count_star" || (name == "count" && item.at("distinct") == false));
}

bool is_sum(const Json& item) {
  return is_plain_statistic(item) && function_of(item) == "sum" && item.at("distinct") == false;
}

struct Groups {
  Json query;         // the inner one
  std::string alias;  // as the outer one calls it
  std::vector<Json> keys;

  const Json* item(const Json& column) const {
    if (!is_column(column)) return nullptr;
    const Json& names = list(column, "column_names");
    if (names.size() > 2 || (names.size() == 2 && !same_name(names[0].get<std::string>(), alias))) return nullptr;
    const Json& items = list(query, "select_list");
    const auto found = std::find_if(items.begin(), items.end(), [&](const Json& one) {
      return same_name(name_of_item(one), names.back().get<std::string>());
    });
    return found == items.end() ? nullptr : &*found;
  }
};

Json unnamed(Json node) {
  node["alias"] = "";
  return node;
}

// What GROUP BY names by a place or by a name of the SELECT list.
Json meant_key(const Json& key, const Json& items) {
  if (text(key, "class") == "CONSTANT") {
    const Json& value = key.at("value");
    const auto place =
        value.contains("value") && value.at("value").is_number_integer() ? value.at("value").get<std::int64_t>() : 0;
    return place >= 1 && static_cast<std::size_t>(place) <= items.size()
               ? unnamed(items[static_cast<std::size_t>(place) - 1])
               : key;
  }
  if (!is_column(key) || list(key, "column_names").size() != 1) return key;
  const auto name = list(key, "column_names")[0].get<std::string>();
  for (const Json& item : items) {
    if (same_name(text(item, "alias"), name)) return unnamed(item);
  }
  return key;
}

// Whether a key is the unit of a table behind FROM: such groups are units, and counted as these.
bool has_unit(const Groups& groups, const Catalog& catalog) {
  Json from = groups.query.at("from_table");
  const std::vector<Json*> leaves = leaves_of(from);
  return std::any_of(leaves.begin(), leaves.end(), [&](const Json* leaf) {
    const Table* const table = is_base(*leaf) ? catalog_table(catalog, text(*leaf, "table_name")) : nullptr;
    if (table == nullptr) return true;
    return table->unit && std::any_of(groups.keys.begin(), groups.keys.end(), [&](const Json& key) {
             return is_column(key) && same_name(list(key, "column_names").back().get<std::string>(), *table->unit);
           });
  });
}

bool is_one_set(const Json& node) {
  const Json& sets = list(node, "group_sets");
  return sets.empty() || (sets.size() == 1 && sets[0].size() == list(node, "group_expressions").size());
}

std::optional<Groups> groups_of(const Json& from, const NamedQueries& named, const Catalog& catalog) {
  const std::optional<QueryAt> query = query_at(from, named);
  if (!query || !is_select(query->node) || !list(from, "column_name_alias").empty()) return std::nullopt;
  Groups made{query->node, called(from), {}};
  const Json &items = list(made.query, "select_list"), &keys = list(made.query, "group_expressions");
  const Json& modifiers = list(made.query, "modifiers");
  const bool is_plain = made.query.at("having").is_null() && made.query.at("qualify").is_null() &&
                        made.query.at("sample").is_null() && is_one_set(made.query) && !has_query(items) &&
                        text(made.query, "aggregate_handling") == "STANDARD_HANDLING";
  if (!is_plain) return std::nullopt;
  const bool is_distinct_list =
      is_distinct(modifiers) && keys.empty() && !has_statistic(items) && modifiers.size() == 1;
  if (is_distinct_list) {
    for (const Json& item : items) made.keys.push_back(unnamed(item));
  } else if (modifiers.empty()) {
    for (const Json& key : keys) made.keys.push_back(meant_key(key, items));
  }
  if (made.keys.empty() || has_unit(made, catalog)) return std::nullopt;
  return made;
}

Json distinct_count(const Json& at, Json x) {
  Json made = call(at, "count", {std::move(x)});
  made["distinct"] = true;
  return made;
}

// How many there are, of which one has no key.
std::optional<Json> number_of(const Groups& groups, const Json& at) {
  if (groups.keys.size() != 1) return std::nullopt;
  Json text = sign(at, "||", text_constant(at, "x"), cast_of(at, "VARCHAR", groups.keys.front()));
  return distinct_count(at, operator_of(at, "OPERATOR_COALESCE", {std::move(text), text_constant(at, "")}));
}

// What a statistic over the groups is of the rows.
std::optional<Json> of_rows(const Json& statistic, const Groups& groups) {
  const std::string name = function_of(statistic);
  const Json& children = list(statistic, "children");
  const bool is_of_all = name == "count_star" || (name == "count" && children.empty());
  if (is_of_all) return number_of(groups, statistic);
  const Json* const item = children.size() == 1 ? groups.item(children[0]) : nullptr;
  if (item == nullptr) return std::nullopt;
  const bool is_of_distinct = statistic.at("distinct") == true;
  if (name == "count" && !has_statistic(*item)) {
    return groups.keys.size() == 1 ? std::optional(distinct_count(statistic, unnamed(*item))) : std::nullopt;
  }
  if (is_of_distinct) return std::nullopt;
  if (name == "count" && is_count(*item)) return number_of(groups, statistic);
  if (name == "sum" && (is_count(*item) || is_sum(*item))) return unnamed(*item);
  if (name != "avg" || !is_count(*item)) return std::nullopt;
  std::optional<Json> number = number_of(groups, statistic);
  if (!number) return std::nullopt;
  return sign(statistic, "/", unnamed(*item), *std::move(number));
}

bool write_statistics(Json& node, const Groups& groups) {
  if (!node.is_structured()) return true;
  if (is_plain_statistic(node)) {
    std::optional<Json> made = of_rows(node, groups);
    if (!made) return false;
    (*made)["alias"] = text(node, "alias");
    node = *std::move(made);
    return true;
  }
  if (is_column(node)) return false;
  return std::all_of(node.begin(), node.end(), [&](Json& part) { return write_statistics(part, groups); });
}

// MAX(n) is the n of the first group, ordered by it. Declared groups without rows, which SQL does not have, count 0 and
// come last; of MIN, and of what may be below 0, they would come first.
std::optional<Json> first_group(const Json& node, const Groups& groups) {
  const Json& items = list(node, "select_list");
  const std::string name = items.size() == 1 ? function_of(items[0]) : "";
  if (name != "max" || list(items[0], "children").size() != 1) return std::nullopt;
  const Json* const item = groups.item(list(items[0], "children")[0]);
  if (item == nullptr || !is_count(*item) || !is_plain_statistic(items[0])) return std::nullopt;
  Json made = groups.query;
  Json value = *item;
  value["alias"] = text(items[0], "alias").empty() ? name_of_item(*item) : text(items[0], "alias");
  made["select_list"] = Json::array({value});
  Json keys = Json::array(), places = Json::array();
  for (const Json& key : groups.keys) places.push_back(keys.size()), keys.push_back(key);
  made["group_expressions"] = std::move(keys);
  made["group_sets"] = Json::array({std::move(places)});
  const Json order = {{"type", "DESCENDING"}, {"null_order", "ORDER_DEFAULT"}, {"expression", unnamed(*item)}};
  made["modifiers"] = Json::array({{{"type", "ORDER_MODIFIER"}, {"orders", Json::array({order})}},
                                   {{"type", "LIMIT_MODIFIER"}, {"limit", whole(items[0], 1)}, {"offset", nullptr}}});
  return made;
}

bool only_adds_up(const Json& node) {
  return is_select(node) && list(node, "group_expressions").empty() && list(node, "group_sets").empty() &&
         text(node, "aggregate_handling") == "STANDARD_HANDLING" && node.at("where_clause").is_null() &&
         node.at("having").is_null() && node.at("qualify").is_null() && node.at("sample").is_null() &&
         list(node, "modifiers").empty() && has_statistic(list(node, "select_list"));
}

void add_common(Json& made, const Json& node) {
  Json with = node.at("cte_map");
  for (const Json& one : list(made.at("cte_map"), "map")) with.at("map").push_back(one);
  made["cte_map"] = std::move(with);
}

}  // namespace

void write_totals_of_groups(Json& node, const NamedQueries& named, const Catalog& catalog) {
  if (!only_adds_up(node)) return;
  const std::optional<Groups> groups = groups_of(node.at("from_table"), named, catalog);
  if (!groups) return;
  std::optional<Json> made = first_group(node, *groups);
  if (!made) {
    Json items = list(node, "select_list");
    for (Json& item : items) {
      if (!write_statistics(item, *groups)) return;
    }
    made = groups->query;
    (*made)["select_list"] = std::move(items);
    (*made)["group_expressions"] = (*made)["group_sets"] = (*made)["modifiers"] = Json::array();
  }
  add_common(*made, node);
  node = *std::move(made);
}

}  // namespace vernier::query
