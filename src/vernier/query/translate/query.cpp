#include <algorithm>

#include "vernier/query/translate/example.hpp"
#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/made_tables.hpp"
#include "vernier/query/translate/parts.hpp"
#include "vernier/query/translate/plain_calls.hpp"
#include "vernier/query/translate/plain_queries.hpp"
#include "vernier/query/translate/syntax.hpp"

// What stands behind FROM: a protected table, and others that are joined to it.
namespace vernier::query {
namespace {

constexpr std::size_t most_joins = 20;

template <class Named>
std::string list_of(const std::vector<Named>& all) {
  std::string names;
  for (const Named& one : all) names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

}  // namespace

Read<void> check_base(const Json& from) {
  const std::string& type = text(from, "type");
  if (type == "EMPTY") return refuse(from, "the statement has no table", "write FROM and a table of the catalog");
  if (type != "BASE_TABLE") return refuse(from, "this is not a table of the catalog", "write one name behind FROM");
  if (!has_exactly(from, {"type", "alias", "sample", "query_location", "schema_name", "table_name", "column_name_alias",
                          "catalog_name", "at_clause"})) {
    return refuse(from, "this table has a part that is not known");
  }
  if (!from.at("sample").is_null()) return refuse(from, "TABLESAMPLE is not accepted", "write the table alone");
  if (!from.at("at_clause").is_null()) return refuse(from, "AT is not accepted", "write the table alone");
  if (!list(from, "column_name_alias").empty())
    return refuse(from, "columns keep their names", "write the table alone");
  if (!is_made(from) && (!text(from, "schema_name").empty() || !text(from, "catalog_name").empty())) {
    return refuse(from, "a table has no schema here", "write its name alone");
  }
  return {};
}

std::string alias_of(const Json& base, const std::string& name) {
  const std::string& alias = text(base, "alias");
  return alias.empty() ? name : alias;
}

namespace {

template <class Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return same_name(one.name, name); });
  return found == all.end() ? nullptr : &*found;
}

// The table alone, under the name that the statement gives it.
Scope scope_of(const Json& from, const std::string& name, const Table& declared, const ParseSql& parse) {
  Scope scope{seen(declared), {}, {}, {}, parse};
  scope.sources = {{alias_of(from, name), 0, scope.table.columns.size()}};
  return scope;
}

Read<Scope> read_view(const Json& from, const View& view, const Catalog& catalog, const ParseSql& parse) {
  const Table* const table = catalog.table(view.table);
  if (table == nullptr || !parse) return refuse(from, "the view \"" + shown(view.name) + "\" cannot be used here");
  const Result<Expression> filter = read_condition(view, *table, parse);
  if (!filter) return refuse(from, after("the view \"" + shown(view.name) + "\" cannot be used: ", filter.error()));
  Scope scope = scope_of(from, view.name, *table, parse);
  scope.filter = *filter;
  return scope;
}

Read<Scope> read_protected(const Json& from, const Catalog& catalog, const ParseSql& parse,
                           const CommonTables& common) {
  if (text(from, "type") == "SUBQUERY") {
    const Json& query = from.at("subquery");
    if (!list(from, "column_name_alias").empty()) {
      return refuse(from, "the names behind this query are more than its columns, or it has a *",
                    "name the columns of its SELECT list with AS");
    }
    if (!query.contains("node")) return refuse(from, "this subquery has a part that is not known");
    const std::string& alias = text(from, "alias");
    return read_rows(query.at("node"), alias.empty() ? "subquery" : alias, catalog, parse, common);
  }
  if (text(from, "type") == "BASE_TABLE" && !is_made(from)) {
    const auto found = std::find_if(common.rbegin(), common.rend(), [&](const CommonTable& one) {
      return same_name(one.name, text(from, "table_name"));
    });
    if (found != common.rend()) {
      if (const Read<void> checked = check_base(from); !checked) return tl::unexpected(checked.error());
      const CommonTables before(common.begin(), found.base() - 1);
      return read_rows(*found->node, alias_of(from, found->name), catalog, parse, before);
    }
  }
  if (const Read<void> checked = check_base(from); !checked) return tl::unexpected(checked.error());
  const std::string& name = text(from, "table_name");
  if (const Table* const table = named(catalog.tables, name)) {
    return scope_of(from, table->name, *table, parse);
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
    return "tables beside each other multiply rows, and WHERE has no columns of both that must be equal; write JOIN "
           "with ON or USING";
  }
  if (kind == "NATURAL") return "NATURAL JOIN depends on what columns there are; write JOIN with ON or USING";
  if (kind != "REGULAR") return "only JOIN and LEFT JOIN are accepted; write JOIN with ON or USING";
  const std::string& type = text(join, "join_type");
  if (type == "RIGHT" || type == "OUTER" || type == "FULL") {
    return "RIGHT and FULL JOIN make rows that nobody has; write LEFT JOIN, with the protected table first";
  }
  if (type != "INNER" && type != "LEFT" && type != "SEMI" && type != "ANTI")
    return "only JOIN and LEFT JOIN are accepted; write JOIN ... USING (region)";
  return "";
}

// What a query has made stands behind JOIN only where it is about single rows, and was written as its table.
Read<void> check_right(const Json& right, const CommonTables& common) {
  const bool is_common = text(right, "type") == "BASE_TABLE" && !is_made(right) &&
                         std::any_of(common.begin(), common.end(), [&](const CommonTable& one) {
                           return same_name(one.name, text(right, "table_name"));
                         });
  if (!is_common && text(right, "type") != "SUBQUERY") return {};
  return refuse(right,
                "a query stands behind JOIN, where tables can, and queries SELECT columns FROM table WHERE condition",
                "write its parts into the statement itself");
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
  const bool has_columns = !join.at("condition").is_null() || !list(join, "using_columns").empty();
  if (!has_columns) return refuse(join, "a join needs ON or USING with the columns that must be equal");
  return {};
}

Read<const Table*> read_public(const Json& right, const Catalog& catalog) {
  if (text(right, "type") == "JOIN") {
    return refuse(right, "joins stand behind one another",
                  "write a JOIN b USING (x) JOIN c USING (y), without brackets");
  }
  if (const Read<void> checked = check_base(right); !checked) return tl::unexpected(checked.error());
  const std::string& name = text(right, "table_name");
  if (const Table* const found = named(catalog.public_tables, name)) return found;
  if (const View* const view = named(catalog.views, name)) {
    return refuse(right, "the view \"" + shown(name) + "\" stands behind JOIN, where tables alone can",
                  "write the table \"" + shown(view->table) + "\", and the condition of the view into WHERE");
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

// ---- ON a = b AND c = d, of a column of what was joined so far and one of the table

// Columns of one type in both tables, of one name where there are such.
std::string example_of_pair(const Scope& scope, const std::string& alias, const Table& table) {
  const auto told = [&](const Column& left, const Column& right) {
    return written(scope.sources.front().alias) + "." + written(left.name) + " = " + written(alias) + "." +
           written(right.name);
  };
  for (const Column& right : table.columns) {
    const Column* const left = scope.table.column(right.name);
    if (left != nullptr && left->type == right.type && left->type != Type::real) return told(*left, right);
  }
  for (const Column& right : table.columns) {
    for (const Column& left : scope.table.columns) {
      if (left.type == right.type && left.type != Type::real) return told(left, right);
    }
  }
  return "a = b";
}

// Conditions beside the columns: behind LEFT JOIN they say which rows of the table are found.
Read<std::optional<Expression>> found_by(const Json& join, const std::vector<Json>& others, const Sides& in) {
  if (others.empty()) return std::nullopt;
  if (text(join, "join_type") == "LEFT") {
    if (Read<std::optional<Expression>> filter = filter_of(others, in)) return filter;
  }
  return refuse(others.front(), "ON takes columns of both tables that must be equal",
                "write ON " + example_of_pair(in.scope, in.alias, in.right));
}

Read<Join> read_on(const Json& join, const Sides& in) {
  Join made{in.right.name, {}};
  std::vector<Json> others;
  for (const Json& part : conjuncts(join.at("condition"))) {
    const std::optional<Pair> pair = pair_of(part, in);
    if (!pair) others.push_back(part);
    if (pair) made.columns.push_back(pair->left), made.right.push_back(pair->right);
  }
  if (made.columns.empty() && !others.empty()) {
    return refuse(others.front(), "ON takes columns of both tables that must be equal",
                  "write ON " + example_of_pair(in.scope, in.alias, in.right));
  }
  VERNIER_TRY(made.filter, found_by(join, others, in));
  if (made.right == made.columns) made.right.clear();
  return made;
}

// Behind JOIN, where it is one.
const Table* protected_table(const Json& right, const Catalog& catalog) {
  return text(right, "type") == "BASE_TABLE" ? named(catalog.tables, text(right, "table_name")) : nullptr;
}

// Whether a column of the public table has a name that is there.
bool shares_names(const Table& left, const Table& right, const Join& join) {
  const std::vector<Column> brought = brought_by(left, right, join);
  return std::any_of(brought.begin(), brought.end(),
                     [&](const Column& one) { return right.column(one.name) == nullptr; });
}

Read<Scope> with_join(const Json& join, Scope scope, const Catalog& catalog) {
  const Json& right = join.at("right");
  const std::string& type = text(join, "join_type");
  if (type == "SEMI" || type == "ANTI") return with_semi_join(join, std::move(scope), catalog);
  if (const Table* const other = protected_table(right, catalog)) {
    if (const Read<void> checked = check_base(right); !checked) return tl::unexpected(checked.error());
    return with_unit_join(join, std::move(scope), *other, catalog);
  }
  const Read<const Table*> found = read_public(right, catalog);
  if (!found) return tl::unexpected(found.error());
  const Table& table = **found;
  const std::string alias = alias_of(right, table.name);
  if (std::any_of(scope.sources.begin(), scope.sources.end(),
                  [&](const SourceInScope& source) { return same_name(source.alias, alias); })) {
    return refuse(right, "two tables are called \"" + shown(alias) + "\"",
                  "write AS and another name behind one of them");
  }
  Read<Join> made = Join{table.name, using_columns(join, scope.table)};
  if (!join.at("condition").is_null()) made = read_on(join, {scope, table, alias, catalog});
  if (!made) return tl::unexpected(made.error());
  made->keeps_all = text(join, "join_type") == "LEFT";
  if (alias != table.name && shares_names(scope.table, table, *made)) made->alias = alias;
  if (const std::string fault = fault_of_join(scope.table, table, *made); !fault.empty()) return refuse(join, fault);
  const std::size_t first = scope.table.columns.size();
  scope.table = joined(std::move(scope.table), table, *made);
  scope.sources.push_back({alias, first, scope.table.columns.size() - first});
  scope.joins.push_back(*std::move(made));
  return scope;
}

}  // namespace

Read<Scope> read_from(const Json& from, const Catalog& catalog, const ParseSql& parse, const CommonTables& named) {
  std::vector<const Json*> joins;  // the last one first
  const Json* base = &from;
  for (; text(*base, "type") == "JOIN"; base = &base->at("left")) {
    if (const Read<void> checked = check_right(base->at("right"), named); !checked)
      return tl::unexpected(checked.error());
    if (const Read<void> checked = check_join(*base); !checked) return tl::unexpected(checked.error());
    joins.push_back(base);
  }
  if (joins.size() > most_joins) return refuse(from, "at most 20 tables can be joined", "leave some out");
  Read<Scope> scope = read_protected(*base, catalog, parse, named);
  if (scope && (!scope->projected.empty() || scope->per_unit) && !joins.empty()) {
    return refuse(*joins.front(), "tables are joined to tables, and not to what a query has made of one",
                  "write the JOIN inside of the query");
  }
  for (auto join = joins.rbegin(); join != joins.rend() && scope; ++join) {
    scope = with_join(**join, *std::move(scope), catalog);
  }
  return scope;
}

// The condition of the statement and that of the view.
Read<std::optional<Expression>> read_where(const Json& clause, const Scope& scope) {
  if (clause.is_null()) return scope.filter;
  const Read<Expression> filter = read_expression(clause, scope);
  if (!filter) return tl::unexpected(filter.error());
  if (filter->type() != Type::boolean || filter->operation() == Operation::null) {
    return refuse(clause, "WHERE takes a condition", "write for example WHERE " + example_condition(scope.table));
  }
  if (!scope.filter) return *filter;
  const Read<Expression> both = located(apply(Operation::logical_and, {*scope.filter, *filter}), clause);
  if (!both) return tl::unexpected(both.error());
  return *both;
}

namespace {

Read<Query> read_statement(Json& tree, Catalog& catalog, const ParseSql& parse) {
  const Json& statements = list(tree, "statements");
  if (!has_exactly(tree, {"error", "statements"})) return refuse(tree, "the statement has a part that is not known");
  if (statements.size() != 1) {
    return refuse_all("exactly one SELECT statement is needed, and this has " + std::to_string(statements.size()));
  }
  const Json& statement = statements[0];
  if (!has_exactly(statement, {"node", "named_param_map"}) || !list(statement, "named_param_map").empty()) {
    return refuse(statement, "a parameter is not accepted", "write the value itself");
  }
  Json& node = tree.at("statements").at(0).at("node");
  if (const Read<void> done = write_made_tables(node, catalog, parse); !done) return tl::unexpected(done.error());
  return read_select(node, catalog, parse);
}

}  // namespace

namespace {

// A set has no place of its own: that of its first part.
const Json& at_of_set(const Json& node) {
  for (const char* const field : {"children", "left"}) {
    if (node.contains(field) && !node.at(field).empty()) return node.at(field);
  }
  return node;
}

}  // namespace

Read<void> check_select(const Json& node) {
  if (text(node, "type") != "SELECT_NODE")
    return refuse(
        at_of_set(node), "UNION, INTERSECT and EXCEPT do not stand between published numbers",
        "ask each SELECT by itself, or write FROM (SELECT ... UNION ALL SELECT ...) over rows that name their "
        "unit");
  if (!has_exactly(node, {"type", "modifiers", "cte_map", "select_list", "from_table", "where_clause",
                          "group_expressions", "group_sets", "aggregate_handling", "having", "sample", "qualify"})) {
    return refuse(node, "the statement has a part that is not known");
  }
  if (!has_exactly(node.at("cte_map"), {"map"})) return refuse(node, "the statement has a part that is not known");
  if (!node.at("qualify").is_null()) return refuse(node.at("qualify"), "QUALIFY is not accepted", "write WHERE");
  if (!node.at("sample").is_null()) return refuse(node.at("sample"), "USING SAMPLE is not accepted", "all rows count");
  return {};
}

Read<Query> read_select(const Json& node, const Catalog& catalog, const ParseSql& parse) {
  if (const Read<void> checked = check_select(node); !checked) return tl::unexpected(checked.error());
  const Read<CommonTables> common = with_common_tables(node, {});
  if (!common) return tl::unexpected(common.error());
  if (text(node.at("from_table"), "type") == "EMPTY") {
    return refuse(node.at("from_table"), "the statement has no table",
                  "write for example " + example_statement(catalog));
  }
  Sources sources = sources_of(node, catalog, *common);
  Read<Scope> scope = read_from(sources.from, catalog, parse, *common);
  if (scope) scope = with_subqueries(*std::move(scope), sources.where, catalog);
  if (!scope) return tl::unexpected(scope.error());
  Parts parts{};
  const StatisticScope rows{*scope, parts.statistics};
  VERNIER_TRY(parts.selected, read_select_list(list(node, "select_list"), rows));
  parts.written = parts.selected.size();
  VERNIER_TRY(const auto filter, read_where(sources.where, *scope));
  VERNIER_TRY(parts.keys, read_group_by(node, parts.selected, *scope));
  if (const Read<void> checked = check_selected(parts); !checked) return tl::unexpected(checked.error());
  const StatisticScope numbers{*scope, parts.statistics, &parts.selected};
  if (!node.at("having").is_null()) {
    VERNIER_TRY(parts.having, read_having(node.at("having"), numbers));
  }
  VERNIER_TRY(parts.modifiers, read_modifiers(list(node, "modifiers"), parts.selected, parts.keys, numbers));
  Query query{scope->table.name, filter, {}, {}, {}, {}, scope->joins};
  query.per_unit = scope->per_unit;
  query.made = made_of(query, catalog);
  return assembled(std::move(parts), scope->table, std::move(query));
}

Result<Query> translated(std::string_view answer, std::string_view sql, const Catalog& catalog, const ParseSql& parse) {
  VERNIER_TRY(Json tree, read_tree(answer, sql, example_statement(catalog)));
  try {
    write_plain_calls(tree);
    write_plain_queries(tree, catalog);
    Catalog with_made = catalog;
    Read<Query> query = read_statement(tree, with_made, parse);
    if (!query) return Failure(told_of(std::move(query.error()), sql));
    return std::move(*query);
  } catch (const Json::exception&) {
    return invalid("the statement has a part that is not known", "write for example " + example_statement(catalog));
  }
}

}  // namespace vernier::query
