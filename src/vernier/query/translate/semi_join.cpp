#include <algorithm>

#include "vernier/query/translate/joins.hpp"

// EXISTS, IN and SEMI JOIN: whether rows stay depends on whether another table has a row. Of a protected table it must
// be one of the same unit, so that nobody decides over the rows of another one (plan/bind/unit_join.md).
namespace vernier::query {
namespace {

template <class Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return same_name(one.name, name); });
  return found == all.end() ? nullptr : &*found;
}

Read<Table> table_of(const Json& node, const Catalog& catalog) {
  if (const Read<void> checked = check_base(node); !checked) return tl::unexpected(checked.error());
  const std::string& name = text(node, "table_name");
  if (const Table* const found = named(catalog.tables, name)) return seen(*found);
  if (const Table* const found = named(catalog.public_tables, name)) return *found;
  return refuse(node, "the catalog has no table \"" + shown(name) + "\"", "name one table of the catalog here");
}

}  // namespace

Read<std::optional<Expression>> filter_of(const std::vector<Json>& conditions, const Sides& in) {
  Scope own{in.right, {{in.alias, 0, in.right.columns.size()}}, {}, {}, in.scope.parse};
  for (const Json& one : conditions) {
    VERNIER_TRY(own, with_condition(std::move(own), one));
  }
  return own.filter;
}

namespace {

Read<Scope> with_found(Scope scope, const Json& node, JoinCondition condition, JoinKind kind, const Table& right,
                       const std::string& alias, const Catalog& catalog) {
  if (scope.per_unit) {
    return refuse(node, "this stands over what was added up for each unit",
                  "write it into the query that reads the table");
  }
  const Sides in{scope, right, alias, catalog};
  if (!right.is_public) {
    if (const Read<void> found = put_unit_first(condition.pairs, node, in); !found)
      return tl::unexpected(found.error());
  }
  if (condition.pairs.empty()) {
    return refuse(node, "nothing says which rows of \"" + shown(right.name) + "\" are looked for",
                  "write a column of it that must be equal to one of " + shown(scope.table.name));
  }
  Join made{.table = right.name, .columns = {}};
  made.kind = kind;
  for (const Pair& one : condition.pairs) {
    made.columns.push_back(one.left);
    made.right.push_back(one.right);
  }
  if (made.right == made.columns) made.right.clear();
  if (const std::string fault = fault_of_join(scope.table, right, made); !fault.empty()) return refuse(node, fault);
  VERNIER_TRY(made.filter, filter_of(condition.others, in));
  scope.sources.push_back({"", scope.table.columns.size(), 0});  // it brings no columns
  scope.joins.push_back(std::move(made));
  return scope;
}

JoinCondition parted(const std::vector<Json>& conditions, const Sides& in) {
  JoinCondition made;
  for (const Json& one : conditions) {
    const std::optional<Pair> pair = pair_of(one, in);
    pair ? made.pairs.push_back(*pair) : made.others.push_back(one);
  }
  return made;
}

// ---- in WHERE

// In a subquery its own columns come first.
bool is_outer(const Json& node, const Sides& in) {
  if (text(node, "class") != "COLUMN_REF") return false;
  const Json& names = list(node, "column_names");
  const auto& first = names.front().get_ref<const std::string&>();
  return names.size() == 1 ? in.right.column(first) == nullptr : !same_name(first, in.alias);
}

bool has_outer(const Json& condition, const Sides& in) {
  return condition.contains("left") && condition.contains("right") &&
         (is_outer(condition.at("left"), in) || is_outer(condition.at("right"), in));
}

JoinCondition correlated(const std::vector<Json>& conditions, const Sides& in) {
  JoinCondition made;
  for (const Json& one : conditions) {
    const std::optional<Pair> pair = has_outer(one, in) ? pair_of(one, in) : std::nullopt;
    pair ? made.pairs.push_back(*pair) : made.others.push_back(one);
  }
  return made;
}

bool is_subquery(const Json& node) { return text(node, "class") == "SUBQUERY"; }

bool is_negated(const Json& node) {
  return text(node, "class") == "OPERATOR" && text(node, "type") == "OPERATOR_NOT" &&
         is_subquery(list(node, "children").at(0));
}

Read<void> check_inner(const Json& node) {
  if (const Read<void> checked = check_select(node); !checked) return checked;
  const bool is_plain = node.at("having").is_null() && list(node, "group_expressions").empty() &&
                        list(node, "group_sets").empty() && text(node, "aggregate_handling") == "STANDARD_HANDLING" &&
                        list(node.at("cte_map"), "map").empty();
  const auto is_limit = [](const Json& one) {
    return text(one, "type") != "ORDER_MODIFIER" && text(one, "type") != "DISTINCT_MODIFIER";
  };
  const Json& modifiers = list(node, "modifiers");
  if (is_plain && std::none_of(modifiers.begin(), modifiers.end(), is_limit)) return {};
  return refuse(node, "EXISTS and IN take rows of one table, without GROUP BY, HAVING, LIMIT and WITH",
                "leave them out");
}

// x IN (SELECT y FROM ...): the pair of both.
Read<Pair> pair_of_in(const Json& node, const Json& inner, const Sides& in) {
  const Json& items = list(inner, "select_list");
  const Column* const left = column_of_scope(node.at("child"), in.scope);
  Json item = items.size() == 1 ? items[0] : Json::object({{"class", ""}});
  item["alias"] = "";
  const Column* const right = column_in(item, in.alias, in.right);
  if (text(node, "comparison_type") == "COMPARE_EQUAL" && left != nullptr && right != nullptr)
    return Pair{left->name, right->name};
  return refuse(node, "IN (SELECT ...) compares a column with a column of one table",
                "write column IN (SELECT column FROM " + shown(in.right.name) + ")");
}

Read<Scope> with_subquery(Scope scope, const Json& node, bool is_not, const Catalog& catalog) {
  const Json& inner = node.at("subquery").at("node");
  if (const Read<void> checked = check_inner(inner); !checked) return tl::unexpected(checked.error());
  const Json& from = inner.at("from_table");
  VERNIER_TRY(const Table right, table_of(from, catalog));
  const Sides in{scope, right, alias_of(from, right.name), catalog};
  JoinCondition condition = correlated(conjuncts(inner.at("where_clause")), in);
  for (const Json& one : condition.others) {
    if (!has_outer(one, in)) continue;
    return refuse(
        one, "a subquery is tied to the row outside of it by columns that are equal, and this is another condition",
        "leave it out, or write it over columns of " + shown(in.alias) + " alone");
  }
  const std::string& type = text(node, "subquery_type");
  std::optional<Expression> there;
  if (type == "ANY") {
    VERNIER_TRY(const Pair pair, pair_of_in(node, inner, in));
    condition.pairs.insert(condition.pairs.begin(), pair);
    if (is_not) {  // NULL is neither in a list nor outside of it
      const Read<Expression> is_null =
          located(apply(Operation::is_null, {column(*scope.table.column(pair.left))}), node);
      if (!is_null) return tl::unexpected(is_null.error());
      const Read<Expression> is_there = located(apply(Operation::logical_not, {*is_null}), node);
      if (!is_there) return tl::unexpected(is_there.error());
      there = *is_there;
    }
  } else if (type != "EXISTS") {
    return refuse(node, "a subquery stands behind EXISTS and IN alone", "write its statistics in a query of their own");
  }
  const JoinKind kind = is_not ? JoinKind::lacking : JoinKind::having;
  const std::string alias = in.alias;
  VERNIER_TRY(Scope made, with_found(std::move(scope), node, std::move(condition), kind, right, alias, catalog));
  if (!there) return made;
  const Read<Expression> both =
      made.filter ? located(apply(Operation::logical_and, {*made.filter, *there}), node) : Read<Expression>(*there);
  if (!both) return tl::unexpected(both.error());
  made.filter = *both;
  return made;
}

}  // namespace

Read<Scope> with_semi_join(const Json& join, Scope scope, const Catalog& catalog) {
  const Json& right = join.at("right");
  VERNIER_TRY(const Table table, table_of(right, catalog));
  const std::string alias = alias_of(right, table.name);
  const Sides in{scope, table, alias, catalog};
  JoinCondition condition;
  for (const Json& one : list(join, "using_columns")) {
    const auto& name = one.get_ref<const std::string&>();
    const Column *const left = scope.table.column(name), *const own = table.column(name);
    condition.pairs.push_back({left == nullptr ? name : left->name, own == nullptr ? name : own->name});
  }
  if (!join.at("condition").is_null()) condition = parted(conjuncts(join.at("condition")), in);
  const JoinKind kind = text(join, "join_type") == "SEMI" ? JoinKind::having : JoinKind::lacking;
  return with_found(std::move(scope), join, std::move(condition), kind, table, alias, catalog);
}

Read<Scope> with_subqueries(Scope scope, Json& where, const Catalog& catalog) {
  const std::vector<Json> all = conjuncts(where);
  const auto is_one = [](const Json& node) { return is_subquery(node) || is_negated(node); };
  if (std::none_of(all.begin(), all.end(), is_one)) return scope;
  std::vector<Json> rest;
  for (const Json& one : all) {
    if (!is_one(one)) {
      rest.push_back(one);
      continue;
    }
    const bool is_not = is_negated(one);
    VERNIER_TRY(scope, with_subquery(std::move(scope), is_not ? list(one, "children")[0] : one, is_not, catalog));
  }
  where = all_of(rest);
  return scope;
}

}  // namespace vernier::query
