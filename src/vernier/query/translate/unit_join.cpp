#include <algorithm>

#include "vernier/query/made.hpp"
#include "vernier/query/translate/joins.hpp"

// JOIN of two protected tables: rows meet where they are of one unit, so that what they make is of that unit alone
// (plan/bind/unit_join.md). Whatever else has to be equal is a condition beside that.
namespace vernier::query {
namespace {

std::string unit_name(const Table& table) { return *table.unit; }

bool is_unit(const Pair& pair, const Sides& in) {
  return same_name(pair.left, unit_name(in.scope.table)) && same_name(pair.right, unit_name(in.right));
}

// The table of the catalog that a column of the scope is of.
const Table* table_of(const std::string& column, const Sides& in) {
  for (std::size_t i = 0; i < in.scope.sources.size(); ++i) {
    const SourceInScope& source = in.scope.sources[i];
    for (std::size_t j = source.first; j < source.first + source.count; ++j) {
      if (in.scope.table.columns[j].name != column) continue;
      return in.catalog.table(i == 0 ? in.scope.table.name : in.scope.joins[i - 1].table);
    }
  }
  return nullptr;
}

// As the table itself names it.
std::string plain_name(const std::string& column, const Table& table) {
  for (const Column& one : table.columns) {
    if (column == one.name || column.ends_with("." + one.name)) return one.name;
  }
  return column;
}

// Whether one table has its unit from the other by these columns: a row's owner is then of the same unit.
bool is_way(const Table& table, const std::string& by, const Table& owner, const std::string& key) {
  return table.via && same_name(table.via->table, owner.name) && same_name(table.via->by, by) &&
         same_name(table.via->key, key);
}

// Whether both have their units from one table by these columns: rows that agree in them have the same owners.
bool have_one_owner(const Table& one, const std::string& by, const Table& other, const std::string& other_by) {
  return one.via && other.via && same_name(one.via->table, other.via->table) &&
         same_name(one.via->key, other.via->key) && same_name(one.via->by, by) && same_name(other.via->by, other_by);
}

bool is_by_way(const Pair& pair, const Sides& in) {
  const Table* const table = table_of(pair.left, in);
  if (table == nullptr) return false;
  const std::optional<Origin> left = origin_of(*table, plain_name(pair.left, *table));
  const std::optional<Origin> right = origin_of(in.right, pair.right);
  if (!left || !right) return false;
  const auto& [one, name] = *left;
  const auto& [other, key] = *right;
  return is_way(*other, key, *one, name) || is_way(*one, name, *other, key) || have_one_owner(*one, name, *other, key);
}

}  // namespace

std::optional<Pair> pair_of(const Json& condition, const Sides& in) {
  if (text(condition, "class") != "COMPARISON" || text(condition, "type") != "COMPARE_EQUAL") return std::nullopt;
  const auto sides = [&](const char* own, const char* other) -> std::optional<Pair> {
    const Column* const left = column_of_scope(condition.at(own), in.scope);
    const Column* const right = column_in(condition.at(other), in.alias, in.right);
    if (left == nullptr || right == nullptr) return std::nullopt;
    return Pair{left->name, right->name};
  };
  const std::optional<Pair> first = sides("left", "right");
  return first ? first : sides("right", "left");
}

namespace {

Read<JoinCondition> read_using(const Json& join, const Sides& in) {
  JoinCondition made;
  for (const Json& one : list(join, "using_columns")) {
    const auto& name = one.get_ref<const std::string&>();
    const Column* const left = in.scope.table.column(name);
    const Column* const right = in.right.column(name);
    made.pairs.push_back({left == nullptr ? name : left->name, right == nullptr ? name : right->name});
  }
  return made;
}

Read<JoinCondition> read_condition_of(const Json& join, const Sides& in) {
  if (join.at("condition").is_null()) return read_using(join, in);
  JoinCondition made;
  for (const Json& part : conjuncts(join.at("condition"))) {
    const std::optional<Pair> pair = pair_of(part, in);
    pair ? made.pairs.push_back(*pair) : made.others.push_back(part);
  }
  return made;
}

// Behind LEFT JOIN a condition says which rows are found; those that find none stay.
Read<std::optional<Expression>> found_by(const Json& join, const JoinCondition& condition, const Sides& in) {
  if (text(join, "join_type") != "LEFT" || condition.others.empty()) return std::nullopt;
  Read<std::optional<Expression>> filter = filter_of(condition.others, in);
  if (filter) return filter;
  return refuse(condition.others.front(),
                "ON of a LEFT JOIN takes columns of both tables that must be equal, and conditions on columns of " +
                    shown(in.alias) + " alone",
                "write other conditions into WHERE, or JOIN in place of LEFT JOIN");
}

tl::unexpected<Refusal> has_no_unit(const Json& join, const Table& table) {
  return refuse(join,
                "every row of the table \"" + shown(table.name) +
                    "\" is a unit of its own, and rows of two protected tables meet only where both are of one unit",
                "let the steward declare a column as the unit of both tables, or ask each table by itself");
}

tl::unexpected<Refusal> not_by_unit(const Json& join, const Sides& in) {
  if (in.right.made && in.alias == in.right.name) {  // of a subquery, which has no name in the statement
    return refuse(join, "a subquery looks up rows of the same unit, and nothing in it says so",
                  "let it be tied by " + shown(unit_name(in.scope.table)));
  }
  return refuse(join,
                "rows of two protected tables meet only where both are of one unit, and this join does not say so",
                "add " + in.scope.sources.front().alias + "." + unit_name(in.scope.table) + " = " + in.alias + "." +
                    unit_name(in.right) + " to ON");
}

}  // namespace

Read<void> put_unit_first(std::vector<Pair>& pairs, const Json& join, const Sides& in) {
  if (!in.scope.table.unit) return has_no_unit(join, in.scope.table);
  if (!in.right.unit) return has_no_unit(join, in.right);
  const auto unit = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& one) { return is_unit(one, in); });
  if (unit != pairs.end()) {
    std::rotate(pairs.begin(), unit, unit + 1);
    return {};
  }
  const bool is_way = std::any_of(pairs.begin(), pairs.end(), [&](const Pair& one) { return is_by_way(one, in); });
  if (!is_way) return not_by_unit(join, in);
  pairs.insert(pairs.begin(), {unit_name(in.scope.table), unit_name(in.right)});
  return {};
}

namespace {

Join join_of(const std::vector<Pair>& pairs, const Json& join, const Sides& in) {
  Join made{.table = in.right.name, .columns = {}};
  made.kind = JoinKind::by_unit;
  made.keeps_all = text(join, "join_type") == "LEFT";
  if (in.alias != in.right.name) made.alias = in.alias;
  for (const Pair& one : pairs) {
    made.columns.push_back(one.left);
    made.right.push_back(one.right);
  }
  if (made.right == made.columns) made.right.clear();
  return made;
}

Read<void> check_tables(const Json& join, const Sides& in) {
  const bool is_taken = std::any_of(in.scope.sources.begin(), in.scope.sources.end(),
                                    [&](const SourceInScope& one) { return same_name(one.alias, in.alias); });
  if (!is_taken) return {};
  return refuse(join.at("right"), "two tables are called \"" + shown(in.alias) + "\"",
                "write AS and another name behind one of them");
}

}  // namespace

// Whether the column, by name or by table and name, is one of the table.
const Column* column_in(const Json& node, const std::string& alias, const Table& table) {
  if (text(node, "class") != "COLUMN_REF") return nullptr;
  const Json& names = list(node, "column_names");
  const bool is_other = names.size() == 2 && !same_name(names[0].get_ref<const std::string&>(), alias);
  if (names.size() > 2 || is_other) return nullptr;
  return table.column(names.back().get_ref<const std::string&>());
}

const Column* column_of_scope(const Json& node, const Scope& scope) {
  if (text(node, "class") != "COLUMN_REF") return nullptr;
  const Read<Expression> x = read_column(node, scope);
  if (!x || x->operation() != Operation::column) return nullptr;
  return scope.table.column(x->column_name());
}

std::vector<Json> conjuncts(const Json& clause) {
  std::vector<Json> parts;
  if (clause.is_null()) return parts;
  const bool is_and = text(clause, "class") == "CONJUNCTION" && text(clause, "type") == "CONJUNCTION_AND";
  if (!is_and) return {clause};
  for (const Json& one : list(clause, "children")) {
    for (Json& part : conjuncts(one)) parts.push_back(std::move(part));
  }
  return parts;
}

Read<Scope> with_condition(Scope scope, const Json& condition) {
  VERNIER_TRY(scope.filter, read_where(condition, scope));
  return scope;
}

Read<Scope> with_unit_join(const Json& join, Scope scope, const Table& declared, const Catalog& catalog) {
  const Table right = seen(declared);
  const Sides in{scope, right, alias_of(join.at("right"), right.name), catalog};
  if (const Read<void> checked = check_tables(join, in); !checked) return tl::unexpected(checked.error());
  VERNIER_TRY(JoinCondition condition, read_condition_of(join, in));
  if (const Read<void> found = put_unit_first(condition.pairs, join, in); !found) return tl::unexpected(found.error());
  Join made = join_of(condition.pairs, join, in);
  VERNIER_TRY(made.filter, found_by(join, condition, in));
  if (made.filter) condition.others.clear();
  if (const std::string fault = fault_of_join(scope.table, right, made); !fault.empty()) return refuse(join, fault);
  const std::size_t first = scope.table.columns.size();
  scope.table = joined(std::move(scope.table), right, made);
  scope.sources.push_back({in.alias, first, scope.table.columns.size() - first});
  scope.joins.push_back(made);
  for (const Json& other : condition.others) {
    VERNIER_TRY(scope, with_condition(std::move(scope), other));
  }
  return scope;
}

}  // namespace vernier::query
