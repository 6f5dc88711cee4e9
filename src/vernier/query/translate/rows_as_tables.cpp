#include <algorithm>

#include "vernier/query/translate/query_nodes.hpp"
#include "vernier/query/translate/translate.hpp"

// (SELECT a + 1 AS b FROM t WHERE c) AS x JOIN y ON x.b = y.b: each row of the query is a row of its table, so that it
// is t AS x JOIN y ON x.a + 1 = y.b WHERE c. Where rows that find nothing stay, the condition stands in ON, and columns
// must be those of the table: what is made of them would be made of NULL, too.
namespace vernier::query {
namespace {

constexpr std::size_t most_values = 20'000;  // of a statement, once it is written so

std::size_t values_in(const Json& node) {
  std::size_t count = 1;
  if (!node.is_structured()) return count;
  for (const Json& part : node) count += values_in(part);
  return count;
}

struct Named {
  std::string name;
  Json meant;
};

// A query as a table under the alias, conditions on its rows, and its columns over it.
struct Rows {
  Json base;
  const Table* table;
  std::string alias;
  std::vector<Named> columns = {};
  bool has_all = true;  // the table's own columns beside those
  Json where = nullptr;

  std::optional<Json> column(const std::string& name, const Json& like) const {
    for (const Named& one : columns) {
      if (same_name(one.name, name)) return one.meant;
    }
    if (!has_all || table == nullptr || seen(*table).column(name) == nullptr) return std::nullopt;
    Json made = like;
    made["alias"] = "";
    made["column_names"] = {alias, name};
    return made;
  }
};

bool is_by_rows(const Json& node) {
  if (!is_select(node) || !list(node, "group_expressions").empty() || !list(node, "group_sets").empty() ||
      text(node, "aggregate_handling") != "STANDARD_HANDLING" || !node.at("having").is_null() ||
      !node.at("qualify").is_null() || !node.at("sample").is_null() || has_statistic(list(node, "select_list")) ||
      has_query(node.at("where_clause")) || has_query(list(node, "select_list")))
    return false;
  const Json& modifiers = list(node, "modifiers");
  return std::all_of(modifiers.begin(), modifiers.end(),
                     [](const Json& one) { return text(one, "type") == "ORDER_MODIFIER"; });
}

// What a column means inside of a query over these rows, which calls them so.
std::optional<Json> meant_by(const Json& column, const std::string& called, const Rows& rows) {
  const Json& names = list(column, "column_names");
  const bool is_own = names.size() == 1 || (names.size() == 2 && same_name(names[0].get<std::string>(), called));
  return is_own ? rows.column(names.back().get<std::string>(), column) : std::nullopt;
}

bool knows_all(const Json& node, const std::string& called, const Rows& rows) {
  if (!node.is_structured()) return true;
  if (is_column(node)) return meant_by(node, called, rows).has_value();
  return std::all_of(node.begin(), node.end(), [&](const Json& part) { return knows_all(part, called, rows); });
}

// The columns of a query over these rows; none where one has no name, or is not known.
std::optional<Rows> selected_from(const Json& node, const std::string& called, const Rows& rows) {
  Rows made = rows;
  made.columns.clear();
  made.has_all = false;
  for (const Json& item : list(node, "select_list")) {
    if (text(item, "class") == "STAR") {
      if (!is_plain_star(item)) return std::nullopt;
      made.columns.insert(made.columns.end(), rows.columns.begin(), rows.columns.end());
      made.has_all = rows.has_all;
      continue;
    }
    const std::string name = name_of_item(item);
    if (name.empty() || !knows_all(item, called, rows)) return std::nullopt;
    Json meant = item;
    meant["alias"] = "";
    replace_columns(meant, [&](const Json& column) { return meant_by(column, called, rows); });
    made.columns.push_back({name, std::move(meant)});
  }
  Json where = node.at("where_clause");
  if (!where.is_null() && !knows_all(where, called, rows)) return std::nullopt;
  replace_columns(where, [&](const Json& column) { return meant_by(column, called, rows); });
  made.where = both(rows.where, where);
  return made;
}

std::optional<Rows> rows_of(const Json& leaf, const NamedQueries& named, const std::string& alias,
                            const Catalog& catalog, int depth) {
  if (depth > 20) return std::nullopt;
  const std::optional<QueryAt> query = query_at(leaf, named);
  if (query) {
    if (!is_by_rows(query->node) || !list(leaf, "column_name_alias").empty()) return std::nullopt;
    NamedQueries before = query->before;
    Json node = query->node;
    for_each_query(node, [&](const std::string& name, const Json& one, const Json&) { before.push_back({name, one}); });
    const Json& from = node.at("from_table");
    const std::optional<Rows> inner = rows_of(from, before, alias, catalog, depth + 1);
    return inner ? selected_from(node, called(from), *inner) : std::nullopt;
  }
  if (!is_base(leaf)) return std::nullopt;
  const Table* const table = catalog_table(catalog, text(leaf, "table_name"));
  if (table == nullptr || !leaf.at("sample").is_null()) return std::nullopt;
  Json base = leaf;
  base["alias"] = alias;
  return Rows{std::move(base), table, alias};
}

// ---- in the joins of a statement

struct Leaf {
  Json* node;
  std::optional<Rows> rows;  // of a query
  const Table* table;        // of the catalog, where it is one
  std::string alias;
  bool may_be_missing;
  Json* join;  // whose ON says what it finds; nullptr where all rows count
};

void collect(Json& from, bool may_be_missing, Json* join, std::vector<Leaf>& leaves) {
  if (!is_join(from)) return leaves.push_back({&from, {}, nullptr, called(from), may_be_missing, join});
  const std::string& type = text(from, "join_type");
  const bool is_whole = type == "FULL" || type == "OUTER";
  const bool left_missing = type == "RIGHT" || is_whole, right_missing = type == "LEFT" || is_whole;
  const bool is_found = type == "SEMI" || type == "ANTI";
  collect(from.at("left"), may_be_missing || left_missing, left_missing ? &from : join, leaves);
  collect(from.at("right"), may_be_missing || right_missing, right_missing || is_found ? &from : join, leaves);
}

// USING names columns of both sides by their own names.
bool keeps_used(const Json& from, const Rows& rows) {
  if (!is_join(from)) return true;
  for (const Json& one : list(from, "using_columns")) {
    for (const Named& column : rows.columns) {
      if (!same_name(column.name, one.get<std::string>())) continue;
      const bool is_same = is_column(column.meant) &&
                           same_name(list(column.meant, "column_names").back().get<std::string>(), column.name);
      if (!is_same) return false;
    }
  }
  return keeps_used(from.at("left"), rows) && keeps_used(from.at("right"), rows);
}

bool are_columns(const Rows& rows) {
  return std::all_of(rows.columns.begin(), rows.columns.end(), [](const Named& one) { return is_column(one.meant); });
}

bool can_be_written(const Leaf& leaf, const Json& from) {
  if (!leaf.rows) return true;
  if (leaf.alias.empty() || !keeps_used(from, *leaf.rows)) return false;
  if (text(from, "ref_type") == "NATURAL") return false;
  if (leaf.may_be_missing && !are_columns(*leaf.rows)) return false;
  if (leaf.join == nullptr || leaf.rows->where.is_null()) return true;
  const std::string& type = text(*leaf.join, "join_type");
  return !leaf.join->at("condition").is_null() && type != "FULL" && type != "OUTER";
}

bool has_name(const Leaf& leaf, const std::string& name) {
  if (leaf.rows) return leaf.rows->column(name, Json::object()).has_value();
  return leaf.table != nullptr && seen(*leaf.table).column(name) != nullptr;
}

// What a column of the statement means: of the query that has it.
std::optional<Json> meant_among(const Json& column, const std::vector<Leaf>& leaves) {
  const Json& names = list(column, "column_names");
  const auto name = names.back().get<std::string>();
  const Leaf* found = nullptr;
  for (const Leaf& leaf : leaves) {
    const bool is_it = names.size() == 1 ? has_name(leaf, name)
                                         : names.size() == 2 && same_name(names[0].get<std::string>(), leaf.alias);
    if (!is_it) continue;
    if (found != nullptr) return std::nullopt;
    found = &leaf;
  }
  return found != nullptr && found->rows ? found->rows->column(name, column) : std::nullopt;
}

// A column of the SELECT list is called as before.
void keep_names(Json& items) {
  for (Json& item : items) {
    if (is_column(item) && text(item, "alias").empty()) item["alias"] = list(item, "column_names").back();
  }
}

void write_leaf(const Leaf& leaf, Json& node) {
  if (!leaf.rows) return;
  Json& where = leaf.join == nullptr ? node.at("where_clause") : leaf.join->at("condition");
  where = both(where, leaf.rows->where);
  *leaf.node = leaf.rows->base;
}

}  // namespace

void write_rows_as_tables(Json& node, const NamedQueries& named, const Catalog& catalog) {
  Json made = node;
  Json& from = made.at("from_table");
  if (!is_join(from)) return;
  std::vector<Leaf> leaves;
  collect(from, false, nullptr, leaves);
  bool has_rows = false;
  for (Leaf& leaf : leaves) {
    if (query_at(*leaf.node, named)) {
      leaf.rows = rows_of(*leaf.node, named, leaf.alias, catalog, 0);
      if (!leaf.rows) return;
      has_rows = true;
    } else if (is_base(*leaf.node)) {
      leaf.table = catalog_table(catalog, text(*leaf.node, "table_name"));
    }
    if (!can_be_written(leaf, from)) return;
  }
  if (!has_rows || has_query(made.at("where_clause"))) return;
  const Meaning meant = [&](const Json& column) { return meant_among(column, leaves); };
  keep_names(made.at("select_list"));
  for (const char* const field : {"select_list", "where_clause", "group_expressions", "having", "modifiers"})
    replace_columns(made.at(field), meant);
  const std::function<void(Json&)> replace_in_joins = [&](Json& join) {
    if (!is_join(join)) return;
    replace_columns(join.at("condition"), meant);
    replace_in_joins(join.at("left"));
    replace_in_joins(join.at("right"));
  };
  replace_in_joins(from);
  for (const Leaf& leaf : leaves) write_leaf(leaf, made);
  if (values_in(made) <= std::max(most_values, 2 * values_in(node))) node = std::move(made);
}

}  // namespace vernier::query
