#include <algorithm>

#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// What stands behind FROM: a protected table, and public ones that are joined to it.
namespace vernier::query {
namespace {

constexpr std::size_t most_joins = 20;

template <class Named>
std::string list_of(const std::vector<Named>& all) {
  std::string names;
  for (const Named& one : all) names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

Read<void> check_base(const Json& from) {
  const std::string& type = text(from, "type");
  if (type == "EMPTY") return refuse(from, "the statement has no table", "write SELECT ... FROM people");
  if (type != "BASE_TABLE") return refuse(from, "this is not a table of the catalog", "write one name behind FROM");
  if (!has_exactly(from, {"type", "alias", "sample", "query_location", "schema_name", "table_name", "column_name_alias",
                          "catalog_name", "at_clause"})) {
    return refuse(from, "this table has a part that is not known");
  }
  if (!from.at("sample").is_null()) return refuse(from, "TABLESAMPLE is not accepted", "write the table alone");
  if (!from.at("at_clause").is_null()) return refuse(from, "AT is not accepted", "write the table alone");
  if (!list(from, "column_name_alias").empty())
    return refuse(from, "columns keep their names", "write the table alone");
  if (!text(from, "schema_name").empty() || !text(from, "catalog_name").empty()) {
    return refuse(from, "a table has no schema here", "write its name alone");
  }
  return {};
}

template <class Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return same_name(one.name, name); });
  return found == all.end() ? nullptr : &*found;
}

std::string alias_of(const Json& base, const std::string& name) {
  const std::string& alias = text(base, "alias");
  return alias.empty() ? name : alias;
}

Read<Scope> read_view(const Json& from, const View& view, const Catalog& catalog, const ParseSql& parse) {
  const Table* const table = catalog.table(view.table);
  if (table == nullptr || !parse) return refuse(from, "the view \"" + shown(view.name) + "\" cannot be used here");
  const Result<Expression> filter = read_condition(view, *table, parse);
  if (!filter) return refuse(from, after("the view \"" + shown(view.name) + "\" cannot be used: ", filter.error()));
  return Scope{*table, {{alias_of(from, view.name), 0, table->columns.size()}}, {}, *filter, parse};
}

Read<Scope> read_protected(const Json& from, const Catalog& catalog, const ParseSql& parse) {
  if (const Read<void> checked = check_base(from); !checked) return tl::unexpected(checked.error());
  const std::string& name = text(from, "table_name");
  if (const Table* const table = named(catalog.tables, name)) {
    return Scope{*table, {{alias_of(from, table->name), 0, table->columns.size()}}, {}, {}, parse};
  }
  if (const View* const view = named(catalog.views, name)) return read_view(from, *view, catalog, parse);
  const std::string tables = list_of(catalog.tables) + (catalog.views.empty() ? "" : ", " + list_of(catalog.views));
  if (named(catalog.public_tables, name) != nullptr) {
    return refuse(from, "the table \"" + shown(name) + "\" is public and needs no protection",
                  "statements are about " + tables + ", to which it can be joined");
  }
  return refuse(from, "the catalog has no table \"" + shown(name) + "\"", "it has " + tables);
}

// ---- joins

// Why this kind of join is none that looks up one row; empty where it is.
std::string fault_of_kind(const Json& join) {
  const std::string& kind = text(join, "ref_type");
  if (kind == "CROSS") {
    return "tables beside each other multiply rows, so that a comma and CROSS JOIN are not accepted; write JOIN "
           "regions USING (region)";
  }
  if (kind == "NATURAL") return "NATURAL JOIN depends on what columns there are; write JOIN regions USING (region)";
  if (kind != "REGULAR") return "only JOIN and LEFT JOIN are accepted; write JOIN regions USING (region)";
  const std::string& type = text(join, "join_type");
  if (type == "RIGHT" || type == "OUTER" || type == "FULL") {
    return "RIGHT and FULL JOIN make rows that nobody has; write LEFT JOIN, with the protected table first";
  }
  if (type == "SEMI" || type == "ANTI") {
    return "SEMI and ANTI JOIN are not accepted; write JOIN ... USING, or LEFT JOIN ... USING and WHERE x IS NULL";
  }
  if (type != "INNER" && type != "LEFT") return "only JOIN and LEFT JOIN are accepted; write JOIN ... USING (region)";
  return "";
}

Read<void> check_join(const Json& join) {
  if (!has_exactly(join, {"type", "alias", "sample", "query_location", "left", "right", "condition", "join_type",
                          "ref_type", "using_columns", "delim_flipped", "duplicate_eliminated_columns"}) ||
      !text(join, "alias").empty() || join.at("delim_flipped") != false ||
      !list(join, "duplicate_eliminated_columns").empty()) {
    return refuse(join, "this join has a part that is not known");
  }
  if (!join.at("sample").is_null()) return refuse(join, "TABLESAMPLE is not accepted", "write the tables alone");
  if (const std::string fault = fault_of_kind(join); !fault.empty()) return refuse(join, fault);
  if (!join.at("condition").is_null()) {
    return refuse(join.at("condition"), "ON is not accepted",
                  "write USING (region) with columns that have the same name in both tables");
  }
  if (list(join, "using_columns").empty()) return refuse(join, "a join needs USING (region)");
  return {};
}

Read<const Table*> read_public(const Json& right, const Scope& left, const Catalog& catalog) {
  if (text(right, "type") == "JOIN") {
    return refuse(right, "joins stand behind one another",
                  "write a JOIN b USING (x) JOIN c USING (y), without brackets");
  }
  if (const Read<void> checked = check_base(right); !checked) return tl::unexpected(checked.error());
  const std::string& name = text(right, "table_name");
  if (const Table* const found = named(catalog.public_tables, name)) return found;
  if (same_name(name, left.table.name)) {
    return refuse(right, "a table cannot be joined with itself, since a unit would be counted several times",
                  "write it "
                  "once");
  }
  if (named(catalog.tables, name) != nullptr || named(catalog.views, name) != nullptr) {
    return refuse(right, "the table \"" + shown(name) + "\" is protected, and two protected tables cannot be joined",
                  "only tables with public = "
                  "true in the catalog can stand behind JOIN");
  }
  const std::string tables = list_of(catalog.public_tables);
  return refuse(
      right, "the catalog has no public table \"" + shown(name) + "\"; it has " + (tables.empty() ? "none" : tables));
}

// The columns of USING, as the table on the left names them where it has them.
std::vector<std::string> using_columns(const Json& join, const Table& left) {
  std::vector<std::string> names;
  for (const Json& one : list(join, "using_columns")) {
    const auto& name = one.get_ref<const std::string&>();
    const Column* const column = left.column(name);
    names.push_back(column == nullptr ? name : column->name);
  }
  return names;
}

Read<Scope> with_join(const Json& join, Scope scope, const Catalog& catalog) {
  const Json& right = join.at("right");
  const Read<const Table*> found = read_public(right, scope, catalog);
  if (!found) return tl::unexpected(found.error());
  const Table& table = **found;
  const std::string alias = alias_of(right, table.name);
  if (std::any_of(scope.sources.begin(), scope.sources.end(),
                  [&](const SourceInScope& source) { return same_name(source.alias, alias); })) {
    return refuse(right, "two tables are called \"" + shown(alias) + "\"", "a public table is joined once");
  }
  const std::vector<std::string> columns = using_columns(join, scope.table);
  if (const std::string fault = fault_of_join(scope.table, table, columns); !fault.empty()) return refuse(join, fault);
  const std::size_t first = scope.table.columns.size();
  scope.table = joined(std::move(scope.table), table, columns);
  scope.sources.push_back({alias, first, scope.table.columns.size() - first});
  scope.joins.push_back({table.name, columns, text(join, "join_type") == "LEFT"});
  return scope;
}

}  // namespace

Read<Scope> read_from(const Json& from, const Catalog& catalog, const ParseSql& parse) {
  std::vector<const Json*> joins;  // the last one first
  const Json* base = &from;
  for (; text(*base, "type") == "JOIN"; base = &base->at("left")) {
    if (const Read<void> checked = check_join(*base); !checked) return tl::unexpected(checked.error());
    joins.push_back(base);
  }
  if (joins.size() > most_joins) return refuse(from, "at most 20 tables can be joined", "leave some out");
  Read<Scope> scope = read_protected(*base, catalog, parse);
  for (auto join = joins.rbegin(); join != joins.rend() && scope; ++join) {
    scope = with_join(**join, *std::move(scope), catalog);
  }
  return scope;
}

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
      return tl::unexpected(Refusal{{ErrorKind::invalid,
                                     "this is neither a key nor a statistic",
                                     {},
                                     "name it in GROUP BY, or write COUNT(*), COUNT(x), SUM(x) or AVG(x)"},
                                    selected[i].byte});
    }
  }
  if (query.aggregations.empty()) {
    return refuse_all("the SELECT list has no statistic", "add COUNT(*), COUNT(x), SUM(x) or AVG(x)");
  }
  return query;
}

Read<Query> read_statement(const Json& tree, const Catalog& catalog, const ParseSql& parse) {
  const Json& statements = list(tree, "statements");
  if (!has_exactly(tree, {"error", "statements"})) return refuse(tree, "the statement has a part that is not known");
  if (statements.size() != 1) {
    return refuse_all("exactly one SELECT statement is needed, and this has " + std::to_string(statements.size()));
  }
  const Json& statement = statements[0];
  if (!has_exactly(statement, {"node", "named_param_map"}) || !list(statement, "named_param_map").empty()) {
    return refuse(statement, "a parameter is not accepted", "write the value itself");
  }
  return read_select(statement.at("node"), catalog, parse);
}

}  // namespace

Read<void> check_select(const Json& node) {
  if (text(node, "type") != "SELECT_NODE")
    return refuse(node, "UNION and the like are not accepted", "write one SELECT");
  if (!has_exactly(node, {"type", "modifiers", "cte_map", "select_list", "from_table", "where_clause",
                          "group_expressions", "group_sets", "aggregate_handling", "having", "sample", "qualify"})) {
    return refuse(node, "the statement has a part that is not known");
  }
  const Json& names = node.at("cte_map");
  if (!has_exactly(names, {"map"}) || !list(names, "map").empty())
    return refuse(names, "WITH is not accepted", "write one SELECT");
  if (!node.at("having").is_null()) {
    return refuse(node.at("having"), "HAVING is not accepted", "select among the rows after the release");
  }
  if (!node.at("qualify").is_null()) return refuse(node.at("qualify"), "QUALIFY is not accepted", "write WHERE");
  if (!node.at("sample").is_null()) return refuse(node.at("sample"), "USING SAMPLE is not accepted", "all rows count");
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
    if (!query) return Failure(with_caret(query.error().error, sql, query.error().byte));
    return std::move(*query);
  } catch (const Json::exception&) {
    return invalid("the statement has a part that is not known", "write one SELECT over one table");
  }
}

}  // namespace vernier::query
