#include "vernier/query/translate/made_tables.hpp"

#include <algorithm>

#include "vernier/query/made.hpp"
#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/looked_up.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/query_nodes.hpp"

namespace vernier::query {
namespace {

bool is_set(const Json& node) { return node.value("type", "") == "SET_OPERATION_NODE"; }

bool is_distinct_set(const Json& node) { return is_set(node) && node.value("setop_all", false) == false; }

std::vector<Json*> parts_of(Json& node) {
  std::vector<Json*> parts;
  if (node.contains("children") && node.at("children").is_array()) {
    for (Json& one : node.at("children")) parts.push_back(&one);
  } else {
    for (const char* const side : {"left", "right"}) {
      if (node.contains(side) && node.at(side).is_object()) parts.push_back(&node.at(side));
    }
  }
  return parts;
}

bool is_grouped(const Json& node) {
  return is_select(node) && (!list(node, "group_expressions").empty() || has_statistic(list(node, "select_list")) ||
                             is_distinct(list(node, "modifiers")));
}

// The query that stands at this place, and those that it may use.
struct Found {
  Json* node;
  CommonTables before;
};

std::optional<Found> found_at(Json& leaf, const CommonTables& named) {
  if (leaf.value("type", "") == "SUBQUERY" && leaf.at("subquery").contains("node"))
    return Found{&leaf.at("subquery").at("node"), named};
  if (!is_base(leaf) || !text(leaf, "schema_name").empty()) return std::nullopt;
  for (std::size_t i = named.size(); i > 0; --i) {
    if (!same_name(named[i - 1].name, text(leaf, "table_name"))) continue;
    return Found{const_cast<Json*>(named[i - 1].node),
                 {named.begin(), named.begin() + static_cast<std::ptrdiff_t>(i) - 1}};
  }
  return std::nullopt;
}

NamedQueries copies_of(const CommonTables& named) {
  NamedQueries copies;
  for (const CommonTable& one : named) copies.push_back({one.name, *one.node});
  return copies;
}

// Behind the first part of a UNION columns need no names: they have those of the first.
Json with_names(Json node) {
  std::size_t count = 0;
  for (Json& item : node.at("select_list")) {
    if (text(item, "class") != "STAR" && name_of_item(item).empty()) item["alias"] = " part " + std::to_string(++count);
  }
  return node;
}

// HAVING as WHERE of a query around it.
Json with_having_outside(const Json& node) {
  if (!is_select(node) || node.at("having").is_null()) return node;
  Json inner = node, condition = node.at("having"), items = list(node, "select_list"), outer = node;
  std::size_t count = 0;
  for (Json& item : items) {
    if (name_of_item(item).empty()) item["alias"] = " column " + std::to_string(++count);
  }
  Json names = Json::array();
  for (const Json& item : items) {
    names.push_back({{"class", "COLUMN_REF"},
                     {"type", "COLUMN_REF"},
                     {"alias", ""},
                     {"query_location", item.at("query_location")},
                     {"column_names", Json::array({name_of_item(item)})}});
  }
  name_statistics(condition, " having ", items, count);
  inner["select_list"] = std::move(items);
  inner["having"] = nullptr;
  inner["cte_map"] = {{"map", Json::array()}};
  outer["select_list"] = std::move(names);
  outer["from_table"] = {{"type", "SUBQUERY"},
                         {"alias", "grouped"},
                         {"sample", nullptr},
                         {"query_location", node.at("select_list").at(0).at("query_location")},
                         {"column_name_alias", Json::array()},
                         {"subquery", {{"node", std::move(inner)}}}};
  outer["where_clause"] = std::move(condition);
  outer["having"] = nullptr;
  outer["group_expressions"] = outer["group_sets"] = outer["modifiers"] = Json::array();
  return outer;
}

// SELECT x FROM a INTERSECT SELECT y FROM b as SELECT DISTINCT x FROM a WHERE x IN (SELECT y FROM b); of EXCEPT NOT IN.
// Units are joined so, of which none is NULL; other columns are refused where IN is read.
void write_units_alike(Json& node) {
  if (!is_set(node) || node.value("setop_all", false) || !list(node, "modifiers").empty()) return;
  const std::string type = text(node, "setop_type");
  const std::vector<Json*> parts = parts_of(node);
  if ((type != "INTERSECT" && type != "EXCEPT") || parts.size() != 2) return;
  for (Json* const part : parts) {
    if (is_set(*part)) write_units_alike(*part);
    const bool is_one_column = is_select(*part) && list(*part, "select_list").size() == 1 &&
                               is_column(list(*part, "select_list")[0]) && list(*part, "group_expressions").empty() &&
                               list(part->at("cte_map"), "map").empty();
    if (!is_one_column) return;
  }
  Json made = *parts[0], x = list(made, "select_list")[0];
  x["alias"] = "";
  Json condition = {{"class", "SUBQUERY"},
                    {"type", "SUBQUERY"},
                    {"alias", ""},
                    {"query_location", x.at("query_location")},
                    {"subquery_type", "ANY"},
                    {"subquery", {{"node", *parts[1]}}},
                    {"child", x},
                    {"comparison_type", "COMPARE_EQUAL"}};
  if (type == "EXCEPT") condition = operator_of(x, "OPERATOR_NOT", {std::move(condition)});
  made["where_clause"] = both(made.at("where_clause"), condition);
  made["modifiers"] = Json::array({{{"type", "DISTINCT_MODIFIER"}, {"distinct_on_targets", Json::array()}}});
  made["cte_map"] = node.at("cte_map");
  node = std::move(made);
}

// ---- one part

struct Part {
  MadePart rows;
  std::optional<std::size_t> unit;  // the place at which it selects its unit
};

Read<Part> part_of(const Json& node, const Scope& scope, const Catalog& catalog) {
  Part made{{*catalog.table(scope.table.name)}, {}};
  made.rows.joins = scope.joins;
  for (const Join& join : scope.joins) {
    const Table* const other = catalog.table(join.table);
    made.rows.others.push_back(other != nullptr ? *other : *catalog.public_table(join.table));
  }
  made.rows.per_unit = scope.per_unit;
  made.rows.filter = scope.filter;
  if (!scope.table.unit) {
    return refuse(node,
                  "every row of the table \"" + shown(scope.table.name) +
                      "\" is a unit of its own, and rows that are put together or joined must name their unit",
                  "let the steward declare a column as its unit, or ask each table by itself");
  }
  if (scope.projected.empty()) {
    for (const Column& one : scope.table.columns) {
      made.rows.columns.push_back({column(one), one.name});
    }
  } else {
    made.rows.columns = scope.projected;
  }
  const auto is_unit = [&](const Key& key) {
    return key.expression.operation() == Operation::column && key.expression.column_name() == *scope.table.unit;
  };
  const auto unit = std::find_if(made.rows.columns.begin(), made.rows.columns.end(), is_unit);
  if (unit != made.rows.columns.end()) made.unit = static_cast<std::size_t>(unit - made.rows.columns.begin());
  return made;
}

// A column of times is its text in the table, and means what the steward has named.
void name_times(Part& part, const Scope& scope, const ParseSql& parse) {
  if (!scope.projected.empty()) return;
  for (Key& key : part.rows.columns) {
    const auto named = std::find_if(scope.table.expressions.begin(), scope.table.expressions.end(),
                                    [&](const NamedExpression& one) { return same_name(one.name, key.name); });
    if (named == scope.table.expressions.end() || !parse) continue;
    if (const Result<Expression> x = read_named(*named, scope.table, parse)) key.expression = *x;
  }
}

// The unit of all parts comes first, by its own name; where not all select it at one place, beside what they select.
Read<void> put_units_first(std::vector<Part>& parts, const Json& node) {
  const std::optional<std::size_t> place = parts.front().unit;
  const bool is_common = std::all_of(parts.begin(), parts.end(), [&](const Part& one) { return one.unit == place; });
  if (place && !is_common) {
    return refuse(node, "the parts of a UNION have the unit at different places",
                  "select the unit at the same place in each of them");
  }
  const std::string unit = rows_of(parts.front().rows).unit.value();
  for (Part& part : parts) {
    auto& columns = part.rows.columns;
    if (place) columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(*place));
    const bool is_taken =
        std::any_of(columns.begin(), columns.end(), [&](const Key& one) { return same_name(one.name, unit); });
    if (is_taken && &part == &parts.front()) {
      return refuse(node, "a column of this query has the name of the unit, \"" + shown(unit) + "\"",
                    "give it another name with AS");
    }
    const Table rows = rows_of(part.rows);
    columns.insert(columns.begin(), {column(*rows.column(*rows.unit)), unit});
  }
  return {};
}

// ---- of a statement

class Maker {
 public:
  Maker(Catalog& catalog, const ParseSql& parse) : catalog_(catalog), parse_(parse) {}

  Read<void> settle(Json& node, CommonTables named, int depth = 0) {
    if (depth > 40) return refuse(node, "queries stand in one another more than 40 deep", "leave some out");
    write_units_alike(node);
    if (is_set(node)) {
      for_each_query(node, [&](const std::string& name, Json& query, Json&) { named.push_back({name, &query}); });
      for (Json* const part : parts_of(node)) {
        if (const Read<void> done = settle(*part, named, depth + 1); !done) return done;
      }
      return {};
    }
    if (!is_select(node)) return {};
    std::vector<Json*> inner;
    for_each_query(node, [&](const std::string&, Json& query, Json&) { inner.push_back(&query); });
    std::size_t place = 0;
    std::vector<std::string> names;
    for_each_query(node, [&](const std::string& name, Json&, Json&) { names.push_back(name); });
    for (Json* const query : inner) {
      if (const Read<void> done = settle(*query, named, depth + 1); !done) return done;
      named.push_back({names[place++], query});
    }
    for (Json* const leaf : leaves_of(node.at("from_table"))) {
      if (leaf->value("type", "") != "SUBQUERY" || !leaf->at("subquery").contains("node")) continue;
      if (const Read<void> done = settle(leaf->at("subquery").at("node"), named, depth + 1); !done) return done;
    }
    for (Json* const query : subqueries_of(node)) {
      if (const Read<void> done = settle(*query, named, depth + 1); !done) return done;
    }
    if (const Read<void> done = settle_from(node, named, depth); !done) return done;
    return write_looked_up(node, catalog_, named,
                           [&](const Json& query, const std::string& name) { return made_from(query, name, named); });
  }

  // The table that a query makes, under this name or one like it.
  Read<const Table*> made_from(const Json& query, const std::string& wanted, CommonTables before) {
    Json node = query;
    if (is_set(node)) {
      VERNIER_TRY(before, with_common_tables(node, before));
      if (const Read<void> done = check_order(node); !done) return tl::unexpected(done.error());
    }
    std::vector<Part> parts;
    for (const Json& one : flat(node)) {
      if (const Read<void> done = check_set(one); !done) return tl::unexpected(done.error());
      const Json plain = with_having_outside(parts.empty() ? one : with_names(one));
      VERNIER_TRY(Scope scope, read_rows(plain, wanted, catalog_, parse_, before));
      VERNIER_TRY(Part part, part_of(at_of(one), scope, catalog_));
      name_times(part, scope, parse_);
      parts.push_back(std::move(part));
    }
    if (const Read<void> done = put_units_first(parts, at_of(node)); !done) return tl::unexpected(done.error());
    MadeRows rows;
    for (Part& one : parts) rows.parts.push_back(std::move(one.rows));
    unit_ = parts.front().unit ? selected_name(node, *parts.front().unit) : "";
    Result<Table> made = made_table(wanted, std::move(rows));
    if (!made) return located<const Table*>(tl::unexpected(made.error()), at_of(node));
    return added(*std::move(made));
  }

 private:
  static Read<void> check_set(const Json& node) {
    if (!is_set(node)) return {};
    if (text(node, "setop_type") == "UNION") {
      return refuse(at_of(node), "UNION, which takes equal rows once, stands inside of another one here",
                    "write it as a query of its own in WITH");
    }
    return refuse(at_of(node), "INTERSECT and EXCEPT are not accepted", "write EXISTS or NOT EXISTS in WHERE");
  }

  // Rows of a table have no order.
  static Read<void> check_order(const Json& node) {
    for (const Json& one : list(node, "modifiers")) {
      if (text(one, "type") == "ORDER_MODIFIER") continue;
      return refuse(at_of(node), "LIMIT behind a UNION of rows is not accepted, since rows have no order",
                    "leave it out");
    }
    return {};
  }

  // UNION ALL of UNION ALL; a SELECT by itself.
  static std::vector<Json> flat(Json& node) {
    const bool is_plain = is_set(node) && text(node, "setop_type") == "UNION" && !is_distinct_set(node);
    if (!is_plain) return {node};
    std::vector<Json> all;
    for (Json* const part : parts_of(node)) {
      for (Json& one : flat(*part)) all.push_back(std::move(one));
    }
    return all;
  }

  // A place to point at: sets have none.
  static Json at_of(const Json& node) {
    Json at = node;
    while (is_set(at)) {
      const std::vector<Json*> parts = parts_of(at);
      if (parts.empty()) break;
      Json first = *parts.front();
      at = std::move(first);
    }
    return is_select(at) && !list(at, "select_list").empty() ? Json(list(at, "select_list")[0]) : at;
  }

  std::string selected_name(Json& node, std::size_t place) const {
    const std::vector<Json> parts = flat(node);
    const Json& items = list(parts.front(), "select_list");
    return place < items.size() ? name_of_item(items[place]) : "";
  }

  const Table* added(Table made) {
    const std::string wanted = made.name;
    for (int i = 2;; ++i) {
      const Table* const there = catalog_.table(made.name);
      const bool is_other = there != nullptr && !there->made;
      const bool is_same = there != nullptr && there->made && canonical(*there->made) == canonical(*made.made);
      if (is_same) return there;
      if (there == nullptr && !is_other && catalog_table(catalog_, made.name) == nullptr) break;
      made.name = wanted + " " + std::to_string(i);
    }
    catalog_.tables.push_back(std::move(made));
    return &catalog_.tables.back();
  }

  // Whether nothing protected stands behind FROM: then there is no table to make.
  bool is_public(const Json& query) const {
    if (!is_select(query)) return false;
    Json from = query.at("from_table");
    const std::vector<Json*> leaves = leaves_of(from);
    return std::all_of(leaves.begin(), leaves.end(), [&](const Json* leaf) {
      const Table* const table = is_base(*leaf) ? catalog_table(catalog_, text(*leaf, "table_name")) : nullptr;
      return leaf->value("type", "") == "EMPTY" || (table != nullptr && table->is_public);
    });
  }

  Read<void> settle_from(Json& node, const CommonTables& named, int depth) {
    Json& from = node.at("from_table");
    const bool is_lone = !is_join(from);
    const bool is_alone_read = is_lone && !(depth > 0 && is_grouped(node));  // the statement itself adds up once
    bool has_made = false;
    for (Json* const leaf : leaves_of(from)) {
      const std::optional<Found> query = found_at(*leaf, named);
      if (!query || is_public(*query->node)) continue;
      if (!is_set(*query->node) && (is_alone_read || !is_grouped(*query->node))) continue;
      if (const Read<void> done = make(*leaf, *query, node, is_lone); !done) return done;
      has_made = true;
    }
    if (has_made) write_rows_as_tables(node, copies_of(named), catalog_);
    if (is_lone) return {};
    for (Json* const leaf : leaves_of(node.at("from_table"))) {
      const std::optional<Found> query = found_at(*leaf, named);
      if (!query || !is_select(*query->node) || is_public(*query->node)) continue;
      if (const Read<void> done = make(*leaf, *query, node, false); !done) return done;
    }
    return {};
  }

  Read<void> make(Json& leaf, const Found& query, Json& node, bool is_lone) {
    const std::string alias = called(leaf), name = is_base(leaf) ? text(leaf, "table_name") : alias;
    if (!list(leaf, "column_name_alias").empty())
      return refuse(leaf, "the names behind this query are more than its columns", "name its columns with AS");
    Json written = *query.node;
    const bool is_distinct = is_distinct_set(written);
    if (is_distinct) written["setop_all"] = true;
    VERNIER_TRY(const Table* made, made_from(written, name.empty() ? "rows" : name, query.before));
    const std::string unit = unit_, own = *made->unit;
    const bool is_renamed = !unit.empty() && !same_name(unit, own);
    Json there = base_of(leaf, made->name, alias);
    if (is_distinct && is_lone) {
      there = {{"type", "SUBQUERY"},
               {"alias", alias},
               {"sample", nullptr},
               {"query_location", leaf.at("query_location")},
               {"column_name_alias", Json::array()},
               {"subquery", {{"node", distinct_rows(at_of(written), *made)}}}};
    } else if (is_distinct) {
      const Json distinct = distinct_rows(at_of(written), *made);
      VERNIER_TRY(made, made_from(distinct, made->name + " once", query.before));
      there = base_of(leaf, made->name, alias);
    }
    leaf = std::move(there);
    if (is_renamed) rename(node, alias, is_lone, unit, own);
    return {};
  }

  // SELECT DISTINCT of all columns.
  static Json distinct_rows(const Json& at, const Table& made) {
    Json items = Json::array();
    for (const Column& one : made.columns) {
      items.push_back({{"class", "COLUMN_REF"},
                       {"type", "COLUMN_REF"},
                       {"alias", ""},
                       {"query_location", at.at("query_location")},
                       {"column_names", Json::array({one.name})}});
    }
    Json leaf = {{"query_location", at.at("query_location")}};
    return {{"type", "SELECT_NODE"},
            {"modifiers", Json::array({{{"type", "DISTINCT_MODIFIER"}, {"distinct_on_targets", Json::array()}}})},
            {"cte_map", {{"map", Json::array()}}},
            {"select_list", std::move(items)},
            {"from_table", base_of(leaf, made.name, "")},
            {"where_clause", nullptr},
            {"group_expressions", Json::array()},
            {"group_sets", Json::array()},
            {"aggregate_handling", "STANDARD_HANDLING"},
            {"having", nullptr},
            {"sample", nullptr},
            {"qualify", nullptr}};
  }

  // What the query calls its unit is called as the unit is.
  static void rename(Json& node, const std::string& alias, bool is_lone, const std::string& name,
                     const std::string& unit) {
    for (Json& item : node.at("select_list")) {
      if (is_column(item) && text(item, "alias").empty()) item["alias"] = list(item, "column_names").back();
    }
    const auto meant = [&](const Json& column) -> std::optional<Json> {
      const Json& names = list(column, "column_names");
      const bool is_own = names.size() == 1 ? is_lone : same_name(names[0].get<std::string>(), alias);
      if (!is_own || !same_name(names.back().get<std::string>(), name)) return std::nullopt;
      Json made = column;
      made["column_names"].back() = unit;
      return made;
    };
    for (const char* const field :
         {"select_list", "from_table", "where_clause", "group_expressions", "having", "modifiers"})
      replace_columns(node.at(field), meant);
  }

  Catalog& catalog_;
  const ParseSql& parse_;
  std::string unit_;  // what the last query calls it
};

void add_made(std::vector<MadeTable>& all, const Table& table) {
  if (!table.made) return;
  for (const MadePart& part : table.made->parts) {
    add_made(all, part.table);
    for (const Table& other : part.others) add_made(all, other);
  }
  const bool is_there =
      std::any_of(all.begin(), all.end(), [&](const MadeTable& one) { return one.table.name == table.name; });
  if (!is_there) all.push_back({table});
}

}  // namespace

bool is_made(const Json& base) { return is_base(base) && text(base, "schema_name") == made_schema; }

Json base_of(const Json& at, const std::string& name, const std::string& alias) {
  return {{"type", "BASE_TABLE"},
          {"alias", alias},
          {"sample", nullptr},
          {"query_location", at.at("query_location")},
          {"schema_name", made_schema},
          {"table_name", name},
          {"column_name_alias", Json::array()},
          {"catalog_name", ""},
          {"at_clause", nullptr}};
}

Read<void> write_made_tables(Json& node, Catalog& catalog, const ParseSql& parse, const CommonTables& named) {
  return Maker(catalog, parse).settle(node, named);
}

std::vector<MadeTable> made_of(const Query& query, const Catalog& catalog) {
  std::vector<MadeTable> all;
  const auto add = [&](const std::string& name) {
    if (const Table* const table = catalog.table(name)) add_made(all, *table);
  };
  add(query.table);
  for (const Join& join : query.joins) add(join.table);
  return all;
}

}  // namespace vernier::query
