#include <algorithm>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/query_nodes.hpp"

// SELECT a, n / 2 FROM (SELECT a, COUNT(*) AS n FROM t GROUP BY a) AS x WHERE n > 100 ORDER BY n LIMIT 3: the inner
// query says what is published, and the outer one what is made of that and which rows stay. It is
// SELECT a, COUNT(*) / 2 FROM t GROUP BY a HAVING COUNT(*) > 100 ORDER BY COUNT(*) LIMIT 3.
namespace vernier::query {
namespace {

bool has_limit(const Json& node) {
  const Json& modifiers = list(node, "modifiers");
  return std::any_of(modifiers.begin(), modifiers.end(),
                     [](const Json& one) { return text(one, "type") != "ORDER_MODIFIER"; });
}

bool is_grouped(const Json& node) {
  return !list(node, "group_expressions").empty() || !list(node, "group_sets").empty() ||
         text(node, "aggregate_handling") != "STANDARD_HANDLING";
}

// Whether it says nothing but what is made of rows, and which of them stay.
bool only_chooses(const Json& node) {
  if (!is_select(node) || is_grouped(node) || !node.at("having").is_null() || !node.at("qualify").is_null() ||
      !node.at("sample").is_null() || is_distinct(list(node, "modifiers")))
    return false;
  const auto has_other = [&](const char* field) { return has_statistic(node.at(field)) || has_query(node.at(field)); };
  return !has_other("select_list") && !has_other("where_clause") && !has_other("modifiers");
}

bool publishes(const Json& node) {
  return is_select(node) && has_statistic(list(node, "select_list")) && !has_limit(node) &&
         node.at("qualify").is_null() && node.at("sample").is_null();
}

struct Inner {
  const Json& items;
  std::string alias;

  const Json* item(const Json& column) const {
    const Json& names = list(column, "column_names");
    if (names.size() > 2 || (names.size() == 2 && !same_name(names[0].get<std::string>(), alias))) return nullptr;
    const auto name = names.back().get<std::string>();
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const Json& one) { return same_name(name_of_item(one), name); });
    return found == items.end() ? nullptr : &*found;
  }

  std::optional<Json> meant(const Json& column) const {
    const Json* const found = item(column);
    if (found == nullptr) return std::nullopt;
    Json made = *found;
    made["alias"] = "";
    return made;
  }

  bool knows_all(const Json& node) const {
    if (!node.is_structured()) return true;
    if (is_column(node)) return item(node) != nullptr;
    return std::all_of(node.begin(), node.end(), [&](const Json& part) { return knows_all(part); });
  }
};

// The SELECT list over what the inner query publishes; none where a name is not known.
std::optional<Json> selected(const Json& items, const Inner& inner) {
  Json made = Json::array();
  for (const Json& item : items) {
    if (text(item, "class") == "STAR") {
      if (!is_plain_star(item)) return std::nullopt;
      for (const Json& one : inner.items) made.push_back(one);
      continue;
    }
    if (!inner.knows_all(item)) return std::nullopt;
    Json one = item;
    if (is_column(one) && text(one, "alias").empty()) one["alias"] = list(one, "column_names").back();
    replace_columns(one, [&](const Json& column) { return inner.meant(column); });
    made.push_back(std::move(one));
  }
  return made;
}

// What the SELECT list names is meant by its name, as SQL has it.
std::optional<Json> ordered(const Json& modifiers, const Json& items, const Inner& inner) {
  Json made = modifiers;
  for (Json& modifier : made) {
    if (text(modifier, "type") != "ORDER_MODIFIER") continue;
    for (Json& order : modifier.at("orders")) {
      Json& by = order.at("expression");
      const bool is_lone = is_column(by) && list(by, "column_names").size() == 1;
      const auto is_it = [&](const Json& item) {
        return same_name(name_of_item(item), list(by, "column_names")[0].get<std::string>());
      };
      if (is_lone && std::any_of(items.begin(), items.end(), is_it)) continue;
      if (!inner.knows_all(by)) return std::nullopt;
      replace_columns(by, [&](const Json& column) { return inner.meant(column); });
    }
  }
  return made;
}

// Conditions on published numbers stay behind them, those on keys are conditions on rows.
bool add_conditions(Json& made, const Json& where, const Inner& inner) {
  for (Json& one : conjuncts(where)) {
    if (!inner.knows_all(one)) return false;
    replace_columns(one, [&](const Json& column) { return inner.meant(column); });
    Json& clause = made.at(has_statistic(one) ? "having" : "where_clause");
    clause = both(clause, one);
  }
  return true;
}

}  // namespace

void write_choice_as_having(Json& node, const NamedQueries& named) {
  if (!only_chooses(node)) return;
  const Json& from = node.at("from_table");
  const std::optional<QueryAt> query = query_at(from, named);
  if (!query || !publishes(query->node) || !list(from, "column_name_alias").empty()) return;
  Json made = query->node;
  const Json items = list(made, "select_list");
  const Inner inner{items, called(from)};
  std::optional<Json> chosen = selected(list(node, "select_list"), inner);
  if (!chosen || !has_statistic(*chosen)) return;
  std::optional<Json> modifiers = ordered(list(node, "modifiers"), *chosen, inner);
  if (!modifiers || !add_conditions(made, node.at("where_clause"), inner)) return;
  Json with = node.at("cte_map");
  for (const Json& one : list(made.at("cte_map"), "map")) with.at("map").push_back(one);
  made["select_list"] = *std::move(chosen);
  made["modifiers"] = *std::move(modifiers);
  made["cte_map"] = std::move(with);
  node = std::move(made);
}

}  // namespace vernier::query
