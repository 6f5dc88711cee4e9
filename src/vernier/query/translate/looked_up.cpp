#include "vernier/query/translate/looked_up.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/made_tables.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/query_nodes.hpp"

// A subquery that is tied to the row outside of it by the unit becomes a table with one row for each value of the
// columns that tie it, and the statement a LEFT JOIN of it: each row finds one row of its own unit, or none, so that
// rows stay as many as they are (plan/bind/made.md).
namespace vernier::query {
namespace {

constexpr std::size_t most_looked_up = 20;

bool is_subquery(const Json& node) {
  return node.is_object() && node.contains("subquery_type") && node.contains("subquery") &&
         node.at("subquery").contains("node");
}

void collect(Json& node, std::vector<Json*>& found) {
  if (!node.is_structured()) return;
  if (is_subquery(node)) return found.push_back(&node);
  for (Json& part : node) collect(part, found);
}

constexpr std::array<const char*, 4> with_subqueries_in = {"where_clause", "select_list", "group_expressions",
                                                           "having"};

// ---- whose columns

struct Names {
  std::vector<std::string> aliases;
  std::vector<const Table*> tables;  // of the catalog; none of a query
};

Names names_of(const Json& from, const Catalog& catalog, const CommonTables& named) {
  Names made;
  Json copy = from;
  for (const Json* const leaf : leaves_of(copy)) {
    made.aliases.push_back(called(*leaf));
    const bool is_query = !is_base(*leaf) || (text(*leaf, "schema_name").empty() &&
                                              std::any_of(named.begin(), named.end(), [&](const CommonTable& one) {
                                                return same_name(one.name, text(*leaf, "table_name"));
                                              }));
    made.tables.push_back(is_query ? nullptr : catalog_table(catalog, text(*leaf, "table_name")));
  }
  return made;
}

bool has_column(const Names& names, const std::string& name) {
  return std::any_of(names.tables.begin(), names.tables.end(), [&](const Table* table) {
    return table != nullptr && (table->is_public ? *table : seen(*table)).column(name) != nullptr;
  });
}

bool is_among(const Json& column, const Names& names) {
  const Json& parts = list(column, "column_names");
  if (parts.size() == 1) return has_column(names, parts[0].get<std::string>());
  return parts.size() == 2 && std::any_of(names.aliases.begin(), names.aliases.end(), [&](const std::string& alias) {
           return same_name(alias, parts[0].get<std::string>());
         });
}

struct Sight {
  Names inner, outer;

  // In a subquery its own columns come first.
  bool is_outer(const Json& column) const { return !is_among(column, inner) && is_among(column, outer); }
};

bool has_outer(const Json& node, const Sight& sight) {
  if (!node.is_structured()) return false;
  if (is_column(node)) return sight.is_outer(node);
  return std::any_of(node.begin(), node.end(), [&](const Json& part) { return has_outer(part, sight); });
}

// ---- what ties it to the row

struct Tie {
  Json inner, outer;  // columns that are equal
};

// Another comparison, the inner side first.
struct Comparison {
  std::string type;
  Json inner, outer;
};

struct Ties {
  std::vector<Tie> equal;
  std::vector<Comparison> others;
  std::vector<Json> own;  // conditions of the subquery alone
  bool is_known = true;   // whether there is nothing else
};

std::string turned(const std::string& type) {
  if (type == "COMPARE_LESSTHAN") return "COMPARE_GREATERTHAN";
  if (type == "COMPARE_LESSTHANOREQUALTO") return "COMPARE_GREATERTHANOREQUALTO";
  if (type == "COMPARE_GREATERTHAN") return "COMPARE_LESSTHAN";
  if (type == "COMPARE_GREATERTHANOREQUALTO") return "COMPARE_LESSTHANOREQUALTO";
  return type;
}

void add_tie(Ties& ties, const Json& condition, const Sight& sight) {
  const bool is_comparison = text(condition, "class") == "COMPARISON" && condition.contains("left");
  if (!is_comparison) {
    ties.is_known = false;
    return;
  }
  const bool is_left_outer = has_outer(condition.at("left"), sight);
  const Json &inner = condition.at(is_left_outer ? "right" : "left"),
             &outer = condition.at(is_left_outer ? "left" : "right");
  const std::string type = is_left_outer ? turned(text(condition, "type")) : text(condition, "type");
  if (has_outer(inner, sight)) {
    ties.is_known = false;
  } else if (type == "COMPARE_EQUAL" && is_column(inner) && is_column(outer)) {
    ties.equal.push_back({inner, outer});
  } else {
    ties.others.push_back({type, inner, outer});
  }
}

Ties ties_of(const Json& where, const Sight& sight) {
  Ties ties;
  for (const Json& one : conjuncts(where)) {
    if (has_outer(one, sight)) {
      add_tie(ties, one, sight);
    } else {
      ties.own.push_back(one);
    }
  }
  return ties;
}

// ---- the query for each unit

std::string last_name(const Json& column) { return list(column, "column_names").back().get<std::string>(); }

bool is_plain(const Json& node) {
  return node.at("having").is_null() && list(node, "group_expressions").empty() && list(node, "group_sets").empty() &&
         text(node, "aggregate_handling") == "STANDARD_HANDLING" && list(node.at("cte_map"), "map").empty();
}

bool has_limit(const Json& node) {
  const Json& modifiers = list(node, "modifiers");
  return std::any_of(modifiers.begin(), modifiers.end(), [](const Json& one) {
    return text(one, "type") != "ORDER_MODIFIER" && text(one, "type") != "DISTINCT_MODIFIER";
  });
}

// Whether the columns of the table by which it is tied have the unit, or what names it in another table.
bool ties_the_unit(const std::vector<Tie>& ties, const Sight& sight) {
  const Table* const table = sight.inner.tables.empty() ? nullptr : sight.inner.tables.front();
  if (table == nullptr || table->is_public || !table->unit) return false;
  return std::any_of(ties.begin(), ties.end(), [&](const Tie& one) {
    const std::string name = last_name(one.inner);
    return same_name(name, *table->unit) || (table->via && same_name(name, table->via->by));
  });
}

// Whether it groups by the columns that tie it, and by nothing else.
bool groups_by(const Json& node, const std::vector<Tie>& ties) {
  const Json& keys = list(node, "group_expressions");
  const auto is_tie = [&](const Json& key) {
    return is_column(key) && std::any_of(ties.begin(), ties.end(), [&](const Tie& one) {
             return same_name(last_name(one.inner), last_name(key));
           });
  };
  return keys.empty() || (keys.size() == ties.size() && std::all_of(keys.begin(), keys.end(), is_tie));
}

Json named(Json node, const std::string& name) {
  node["alias"] = name;
  return node;
}

std::string tie_name(std::size_t i) { return "tie " + std::to_string(i + 1); }

// SELECT ties, values FROM ... WHERE own conditions GROUP BY ties, with its HAVING.
Json grouped(const Json& inner, const Ties& ties, const std::vector<Json>& values) {
  Json made = inner, items = Json::array(), keys = Json::array(), places = Json::array();
  for (std::size_t i = 0; i < ties.equal.size(); ++i) {
    items.push_back(named(ties.equal[i].inner, tie_name(i)));
    keys.push_back(named(ties.equal[i].inner, ""));
    places.push_back(i);
  }
  for (const Json& one : values) items.push_back(one);
  made["select_list"] = std::move(items);
  made["where_clause"] = all_of(ties.own);
  made["group_expressions"] = std::move(keys);
  made["group_sets"] = Json::array({std::move(places)});
  made["modifiers"] = Json::array();
  return made;
}

Json column_of(const Json& at, const std::string& table, const std::string& name) {
  return {{"class", "COLUMN_REF"},
          {"type", "COLUMN_REF"},
          {"alias", ""},
          {"query_location", at.at("query_location")},
          {"column_names", Json::array({table, name})}};
}

Json left_join(const Json& from, const Json& right, Json condition) {
  return {{"type", "JOIN"},
          {"alias", ""},
          {"sample", nullptr},
          {"query_location", right.at("query_location")},
          {"left", from},
          {"right", right},
          {"condition", std::move(condition)},
          {"join_type", "LEFT"},
          {"ref_type", "REGULAR"},
          {"using_columns", Json::array()},
          {"delim_flipped", false},
          {"duplicate_eliminated_columns", Json::array()}};
}

// ---- what stands in place of the subquery

constexpr const char* rows = "rows found";
constexpr const char* value = "value";
constexpr const char* least = "least";
constexpr const char* greatest = "greatest";

bool is_count(const Json& item) {
  if (!item.is_object()) return false;
  const std::string name = item.value("function_name", "");
  return name == "count_star" || name == "count" || name == "count_if" || name == "countif";
}

// Without rows it is NULL, as each of its statistics is, but for counts.
bool is_null_of_nothing(const Json& node) {
  if (!node.is_structured()) return true;
  if (is_count(node)) return false;
  const std::string name = node.is_object() ? node.value("function_name", "") : "";
  const bool is_sign = name == "+" || name == "-" || name == "*" || name == "/";
  const bool is_case = node.is_object() && (node.value("class", "") == "CASE" || node.value("class", "") == "OPERATOR");
  if (is_case || (!name.empty() && !is_sign && !is_statistic(name))) return false;
  return std::all_of(node.begin(), node.end(), is_null_of_nothing);
}

std::vector<Json> values_of(const Json& at, const Json& inner, const Ties& ties) {
  if (text(at, "subquery_type") == "SCALAR") return {named(list(inner, "select_list")[0], value)};
  if (ties.others.empty()) return {named(call(at, "count_star", {}), rows)};
  const Json& x = ties.others.front().inner;
  return {named(call(at, "min", {x}), least), named(call(at, "max", {x}), greatest)};
}

Json found_by_comparison(const Json& at, const Comparison& one, const std::string& table) {
  const auto compared = [&](const char* end) {
    return comparison_of(at, one.type, column_of(at, table, end), one.outer);
  };
  const bool is_below = one.type == "COMPARE_LESSTHAN" || one.type == "COMPARE_LESSTHANOREQUALTO";
  const bool is_above = one.type == "COMPARE_GREATERTHAN" || one.type == "COMPARE_GREATERTHANOREQUALTO";
  Json either = is_below ? compared(least) : compared(greatest);
  if (!is_below && !is_above) {
    Json both_ends = node_of(at, "CONJUNCTION", "CONJUNCTION_OR");
    both_ends["children"] = Json::array({compared(least), compared(greatest)});
    either = std::move(both_ends);
  }
  return choice_of(at, {{std::move(either), cast_of(at, "BOOLEAN", text_constant(at, "t"))}},
                   cast_of(at, "BOOLEAN", text_constant(at, "f")));
}

Json meant_by(const Json& at, const Json& inner, const Ties& ties, const std::string& table) {
  const std::string& type = text(at, "subquery_type");
  if (type == "SCALAR") {
    Json made = column_of(at, table, value);
    if (!is_count(list(inner, "select_list")[0])) return made;
    return operator_of(at, "OPERATOR_COALESCE", {std::move(made), whole(at, 0)});
  }
  Json there = ties.others.empty() ? operator_of(at, "OPERATOR_IS_NOT_NULL", {column_of(at, table, rows)})
                                   : found_by_comparison(at, ties.others.front(), table);
  if (type != "ANY") return there;
  return choice_of(at, {{operator_of(at, "OPERATOR_IS_NULL", {at.at("child")}), null_constant(at)}}, std::move(there));
}

bool can_be_looked_up(const Json& at, const Json& inner, const Ties& ties, const Sight& sight) {
  const std::string& type = text(at, "subquery_type");
  if (!ties.is_known || ties.equal.empty() || has_limit(inner) || !ties_the_unit(ties.equal, sight)) return false;
  if (!groups_by(inner, ties.equal)) return false;
  if (type == "SCALAR") {
    const Json& items = list(inner, "select_list");
    return ties.others.empty() && is_plain(inner) && items.size() == 1 && has_statistic(items[0]) &&
           (is_count(items[0]) || is_null_of_nothing(items[0]));
  }
  if (type != "EXISTS" && type != "ANY") return false;
  const bool is_lone_group = !inner.at("having").is_null() && list(inner, "group_expressions").empty();
  if (is_lone_group || ties.others.size() > 1) return false;
  if (ties.others.empty()) return true;
  static const std::array<std::string_view, 5> ordered = {"COMPARE_NOTEQUAL", "COMPARE_LESSTHAN",
                                                          "COMPARE_LESSTHANOREQUALTO", "COMPARE_GREATERTHAN",
                                                          "COMPARE_GREATERTHANOREQUALTO"};
  return inner.at("having").is_null() &&
         std::find(ordered.begin(), ordered.end(), ties.others.front().type) != ordered.end();
}

class LookedUp {
 public:
  LookedUp(Json& node, const Catalog& catalog, const CommonTables& named, const MakeTable& make)
      : node_(node), catalog_(catalog), named_(named), make_(make) {}

  Read<void> write_all() {
    std::vector<Json*> found;
    for (Json* const one : conditions_alone()) plain_.push_back(one);
    for (const char* const field : with_subqueries_in) collect(node_.at(field), found);
    for (Json* const one : found) {
      if (const Read<void> done = write(*one); !done) return done;
    }
    return {};
  }

 private:
  // EXISTS and IN beside other conditions with AND, NOT before them or not: those that look up rows of one table are
  // read as they are.
  std::vector<Json*> conditions_alone() {
    std::vector<Json*> all;
    const std::function<void(Json&)> add = [&](Json& clause) {
      if (clause.is_null()) return;
      if (text(clause, "class") == "CONJUNCTION" && text(clause, "type") == "CONJUNCTION_AND") {
        for (Json& one : clause.at("children")) add(one);
        return;
      }
      const bool is_not = text(clause, "class") == "OPERATOR" && text(clause, "type") == "OPERATOR_NOT";
      Json& one = is_not ? clause.at("children").at(0) : clause;
      if (is_subquery(one)) all.push_back(&one);
    };
    add(node_.at("where_clause"));
    return all;
  }

  bool is_read_as_it_is(const Json& at, const Json& inner, const Ties& ties) const {
    const bool is_alone = std::find(plain_.begin(), plain_.end(), &at) != plain_.end();
    return is_alone && is_plain(inner) && is_base(inner.at("from_table")) && ties.is_known && ties.others.empty() &&
           text(at, "subquery_type") != "SCALAR";
  }

  Read<void> write(Json& at) {
    const Json inner = at.at("subquery").at("node");
    if (!is_select(inner) || count_ == most_looked_up) return {};
    const Sight sight{names_of(inner.at("from_table"), catalog_, named_),
                      names_of(node_.at("from_table"), catalog_, named_)};
    Ties ties = ties_of(inner.at("where_clause"), sight);
    if (text(at, "subquery_type") == "ANY") add_compared(at, inner, ties);
    if (is_read_as_it_is(at, inner, ties) || !can_be_looked_up(at, inner, ties, sight)) return {};
    const std::string name = "subquery " + std::to_string(++count_);
    VERNIER_TRY(const Table* const made, make_(grouped(inner, ties, values_of(at, inner, ties)), name));
    const std::string unit = *made->unit, table = made->name;
    std::vector<Json> conditions;
    for (std::size_t i = 0; i < ties.equal.size(); ++i) {
      const bool is_kept = made->column(tie_name(i)) != nullptr;
      conditions.push_back(
          comparison_of(at, "COMPARE_EQUAL", ties.equal[i].outer, column_of(at, name, is_kept ? tie_name(i) : unit)));
    }
    Json written = meant_by(at, inner, ties, name);
    written["alias"] = at.value("alias", "");
    at = std::move(written);
    joins_.push_back({base_of(at, table, name), all_of(conditions)});
    return {};
  }

  // x IN (SELECT y ...) says that both are equal.
  static void add_compared(const Json& at, const Json& inner, Ties& ties) {
    const Json& items = list(inner, "select_list");
    const bool is_equality = text(at, "comparison_type") == "COMPARE_EQUAL" && items.size() == 1;
    if (is_equality && is_column(items[0]) && is_column(at.at("child"))) {
      ties.equal.push_back({named(items[0], ""), at.at("child")});
    } else {
      ties.is_known = false;
    }
  }

 public:
  struct Added {
    Json right, condition;
  };
  const std::vector<Added>& joins() const { return joins_; }

 private:
  Json& node_;
  const Catalog& catalog_;
  const CommonTables& named_;
  const MakeTable& make_;
  std::vector<Json*> plain_;
  std::vector<Added> joins_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<Json*> subqueries_of(Json& node) {
  std::vector<Json*> found, queries;
  for (const char* const field : with_subqueries_in) collect(node.at(field), found);
  for (Json* const one : found) queries.push_back(&one->at("subquery").at("node"));
  return queries;
}

Read<void> write_looked_up(Json& node, const Catalog& catalog, const CommonTables& named, const MakeTable& make) {
  LookedUp all(node, catalog, named, make);
  if (const Read<void> done = all.write_all(); !done) return done;
  if (all.joins().empty()) return {};
  Sources sources = sources_of(node, catalog, named);
  for (const LookedUp::Added& one : all.joins()) sources.from = left_join(sources.from, one.right, one.condition);
  node["from_table"] = std::move(sources.from);
  node["where_clause"] = std::move(sources.where);
  return {};
}

}  // namespace vernier::query
