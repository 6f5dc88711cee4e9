#include "vernier/query/translate/query_nodes.hpp"

#include <algorithm>

#include "vernier/query/translate/joins.hpp"

namespace vernier::query {

namespace {

// The type of a constant is an object, and no name.
bool is_of_type(const Json& node, std::string_view type) {
  if (!node.is_object() || !node.contains("type")) return false;
  const Json& own = node.at("type");
  return own.is_string() && own.get_ref<const std::string&>() == type;
}

}  // namespace

bool is_select(const Json& node) { return is_of_type(node, "SELECT_NODE"); }
bool is_join(const Json& from) { return is_of_type(from, "JOIN"); }
bool is_base(const Json& from) { return is_of_type(from, "BASE_TABLE"); }
bool is_column(const Json& node) { return node.is_object() && node.contains("column_names"); }

void for_each_query(Json& node, const std::function<void(const std::string&, Json&, Json&)>& visit) {
  if (!node.contains("cte_map") || !node.at("cte_map").contains("map")) return;
  for (Json& one : node.at("cte_map").at("map")) {
    Json& value = one.at("value");
    if (value.contains("query") && value.at("query").contains("node"))
      visit(text(one, "key"), value.at("query").at("node"), value);
  }
}

std::vector<Json*> leaves_of(Json& from) {
  if (!is_join(from)) return {&from};
  std::vector<Json*> leaves = leaves_of(from.at("left"));
  for (Json* const one : leaves_of(from.at("right"))) leaves.push_back(one);
  return leaves;
}

std::string called(const Json& leaf) {
  const std::string& alias = text(leaf, "alias");
  return alias.empty() && is_base(leaf) ? text(leaf, "table_name") : alias;
}

std::optional<QueryAt> query_at(const Json& leaf, const NamedQueries& named) {
  if (leaf.value("type", "") == "SUBQUERY" && leaf.at("subquery").contains("node"))
    return QueryAt{leaf.at("subquery").at("node"), named};
  if (!is_base(leaf) || !text(leaf, "schema_name").empty()) return std::nullopt;
  for (std::size_t i = named.size(); i > 0; --i) {
    const NamedQuery& one = named[i - 1];
    if (!same_name(one.name, text(leaf, "table_name"))) continue;
    return QueryAt{one.node, {named.begin(), named.begin() + static_cast<std::ptrdiff_t>(i) - 1}};
  }
  return std::nullopt;
}

const Table* catalog_table(const Catalog& catalog, std::string_view name) {
  const auto is_it = [&](const auto& one) { return same_name(one.name, name); };
  for (const auto* const tables : {&catalog.tables, &catalog.public_tables}) {
    const auto found = std::find_if(tables->begin(), tables->end(), is_it);
    if (found != tables->end()) return &*found;
  }
  const auto view = std::find_if(catalog.views.begin(), catalog.views.end(), is_it);
  return view == catalog.views.end() ? nullptr : catalog.table(view->table);
}

Json both(const Json& a, const Json& b) {
  std::vector<Json> parts = conjuncts(a);
  for (Json& one : conjuncts(b)) parts.push_back(std::move(one));
  return all_of(parts);
}

bool is_plain_star(const Json& item) {
  if (text(item, "class") != "STAR" || !text(item, "relation_name").empty()) return false;
  return std::all_of(item.items().begin(), item.items().end(),
                     [](const auto& field) {
                       const bool is_list = field.key().ends_with("_list");
                       return !is_list || field.value().empty();
                     }) &&
         item.value("columns", false) == false && (!item.contains("expr") || item.at("expr").is_null());
}

std::string name_of_item(const Json& item) {
  const std::string& alias = text(item, "alias");
  if (!alias.empty() || !is_column(item)) return alias;
  return list(item, "column_names").back().get<std::string>();
}

bool has_query(const Json& node) {
  if (!node.is_structured()) return false;
  if (node.is_object() && node.contains("subquery")) return true;
  return std::any_of(node.begin(), node.end(), has_query);
}

void name_statistics(Json& node, const std::string& beginning, Json& items, std::size_t& count) {
  if (!node.is_structured()) return;
  if (!node.is_object() || !node.contains("function_name") || !is_statistic(text(node, "function_name"))) {
    for (Json& part : node) name_statistics(part, beginning, items, count);
    return;
  }
  const std::string name = beginning + std::to_string(++count);
  Json item = node;
  item["alias"] = name;
  items.push_back(std::move(item));
  node = {{"class", "COLUMN_REF"},
          {"type", "COLUMN_REF"},
          {"alias", ""},
          {"query_location", node.at("query_location")},
          {"column_names", Json::array({name})}};
}

void replace_columns(Json& node, const Meaning& meant) {
  if (!node.is_structured()) return;
  if (!is_column(node)) {
    for (Json& part : node) replace_columns(part, meant);
    return;
  }
  std::optional<Json> made = meant(node);
  if (!made) return;
  (*made)["alias"] = text(node, "alias");
  if (is_column(*made) || made->contains("query_location")) (*made)["query_location"] = node.at("query_location");
  node = *std::move(made);
}

}  // namespace vernier::query
