#include <algorithm>

#include "vernier/query/sql_text.hpp"
#include "vernier/query/translate_keys.hpp"

namespace vernier::query {
namespace {

// The condition of the statement and that of the view.
Read<std::optional<Expression>> read_where(const Json& clause, const Scope& scope) {
  if (clause.is_null()) return scope.filter;
  const Read<Expression> filter = read_expression(clause, scope);
  if (!filter) return tl::unexpected(filter.error());
  if (filter->type() != Type::boolean || filter->operation() == Operation::null) {
    return refuse(clause, "WHERE takes a condition, such as age >= 18");
  }
  if (!scope.filter) return *filter;
  const Read<Expression> both = located(apply(Operation::logical_and, {*scope.filter, *filter}), clause);
  if (!both) return tl::unexpected(both.error());
  return *both;
}

// Every column of the SELECT list as a key or a statistic.
Read<Query> assembled(const std::vector<Selected>& selected, const std::vector<std::size_t>& keys, Query query) {
  for (const std::size_t place : keys) query.keys.push_back({*selected[place].key, selected[place].name});
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const auto key = std::find(keys.begin(), keys.end(), i);
    if (selected[i].aggregation) {
      query.outputs.push_back({false, query.aggregations.size()});
      query.aggregations.push_back(*selected[i].aggregation);
      query.aggregations.back().name = selected[i].name;
    } else if (key != keys.end()) {
      query.outputs.push_back({true, static_cast<std::size_t>(key - keys.begin())});
    } else {
      return tl::unexpected(Refusal{
          "this is neither a key nor a statistic; name it in GROUP BY, or write COUNT(*), COUNT(x), SUM(x) or AVG(x)",
          selected[i].byte});
    }
  }
  if (query.aggregations.empty()) {
    return tl::unexpected(Refusal{"the SELECT list has no statistic; add COUNT(*), COUNT(x), SUM(x) or AVG(x)", {}});
  }
  return query;
}

Read<Query> read_statement(const Json& tree, const Catalog& catalog, const ParseSql& parse) {
  const Json& statements = list(tree, "statements");
  if (!has_exactly(tree, {"error", "statements"})) return refuse(tree, "the statement has a part that is not known");
  if (statements.size() != 1) {
    return tl::unexpected(
        Refusal{"exactly one SELECT statement is needed, and this has " + std::to_string(statements.size()), {}});
  }
  const Json& statement = statements[0];
  if (!has_exactly(statement, {"node", "named_param_map"}) || !list(statement, "named_param_map").empty()) {
    return refuse(statement, "a parameter is not accepted; write the value itself");
  }
  return read_select(statement.at("node"), catalog, parse);
}

}  // namespace

Read<void> check_select(const Json& node) {
  if (text(node, "type") != "SELECT_NODE") return refuse(node, "UNION and the like are not accepted; write one SELECT");
  if (!has_exactly(node, {"type", "modifiers", "cte_map", "select_list", "from_table", "where_clause",
                          "group_expressions", "group_sets", "aggregate_handling", "having", "sample", "qualify"})) {
    return refuse(node, "the statement has a part that is not known");
  }
  const Json& names = node.at("cte_map");
  if (!has_exactly(names, {"map"}) || !list(names, "map").empty())
    return refuse(names, "WITH is not accepted; write one SELECT");
  if (!node.at("having").is_null()) {
    return refuse(node.at("having"), "HAVING is not accepted; select among the rows after the release");
  }
  if (!node.at("qualify").is_null()) return refuse(node.at("qualify"), "QUALIFY is not accepted; write WHERE");
  if (!node.at("sample").is_null()) return refuse(node.at("sample"), "USING SAMPLE is not accepted; all rows count");
  return {};
}

Read<Query> read_select(const Json& node, const Catalog& catalog, const ParseSql& parse) {
  if (const Read<void> checked = check_select(node); !checked) return tl::unexpected(checked.error());
  const Read<Scope> scope = read_from(node.at("from_table"), catalog, parse);
  if (!scope) return tl::unexpected(scope.error());
  VERNIER_TRY(const auto selected, read_select_list(list(node, "select_list"), *scope));
  VERNIER_TRY(const auto filter, read_where(node.at("where_clause"), *scope));
  VERNIER_TRY(const auto keys, read_group_by(node, selected, *scope));
  VERNIER_TRY(const auto order, read_order_by(list(node, "modifiers"), selected, keys, *scope));
  return assembled(selected, keys, {scope->table.name, filter, {}, {}, {}, order, scope->joins});
}

Result<Query> translated(std::string_view answer, std::string_view sql, const Catalog& catalog, const ParseSql& parse) {
  VERNIER_TRY(const Json tree, read_tree(answer, sql));
  try {
    Read<Query> query = read_statement(tree, catalog, parse);
    if (!query) return invalid(with_caret(query.error().sentence, sql, query.error().byte));
    return std::move(*query);
  } catch (const Json::exception&) {
    return invalid("the statement has a part that is not known; write one SELECT over one table");
  }
}

}  // namespace vernier::query
