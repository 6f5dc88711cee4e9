#include "vernier/query/per_unit.hpp"

#include <algorithm>
#include <utility>

#include "vernier/query/expression/moment.hpp"
#include "vernier/query/translate/joins.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/query_nodes.hpp"

// SELECT unit, SUM(x) AS total FROM t GROUP BY unit behind FROM: each of its rows is made of rows of one unit, and
// belongs to it (plan/bind/per_unit.md).
namespace vernier::query {
namespace {

bool names_unit(const Key& key, const Table& table) {
  return key.expression.operation() == Operation::column && same_name(key.expression.column_name(), *table.unit);
}

// What names the unit in another table stands for it: its rows are there once for each of its owners.
void add_owner(std::vector<Key>& keys, const Table& table) {
  const auto names_owner = [&](const Key& key) {
    return table.via && key.expression.operation() == Operation::column &&
           same_name(key.expression.column_name(), table.via->by);
  };
  const bool has_unit = std::any_of(keys.begin(), keys.end(), [&](const Key& one) { return names_unit(one, table); });
  if (has_unit || std::none_of(keys.begin(), keys.end(), names_owner)) return;
  keys.push_back({column(*table.column(*table.unit)), *table.unit});
}

tl::unexpected<Refusal> without_unit(const Json& node, const Table& table) {
  if (!table.unit) {
    return refuse(node,
                  "every row of the table \"" + shown(table.name) +
                      "\" is a unit of its own, so that there is nothing to add up for each unit",
                  "write the statistics in the outer SELECT");
  }
  return refuse(node,
                "a query behind FROM or JOIN that groups rows must group them by their unit, so that each of its rows "
                "is about one",
                "add " + shown(*table.unit) + " to its GROUP BY");
}

Read<Aggregation> total_of(const Selected& column, const std::vector<Aggregation>& statistics) {
  const std::optional<std::size_t> statistic = column.statistic();
  const auto refuse_it = [&](std::string problem, std::string advice) {
    return tl::unexpected(Refusal{{ErrorKind::invalid, std::move(problem), {}, std::move(advice)}, column.byte});
  };
  if (column.steps.empty()) {
    return refuse_it("\"" + shown(column.name) + "\" is neither a key nor a statistic", "add it to GROUP BY");
  }
  if (!statistic) {
    return refuse_it("\"" + shown(column.name) + "\" is made of several statistics of a unit",
                     "select each of them here, and make it of them in the outer SELECT");
  }
  Aggregation total = statistics[*statistic];
  if (total.aggregate == Aggregate::count_units) total.aggregate = Aggregate::count_distinct;
  if (!can_be_total(total.aggregate) || total.other) {
    return refuse_it("for each unit only " + std::string(totals_in_words) + " are computed",
                     "take one of these, or write the statistic in the outer SELECT");
  }
  total.name = column.name;
  return total;
}

// The unit keeps its name, whatever the query calls it, since a release names it.
Read<void> check_names(const PerUnit& made, const Json& node) {
  const std::string& unit = made.keys.front().name;
  const auto is_it = [&](const auto& one) { return same_name(one.name, unit); };
  const bool is_taken = std::any_of(made.keys.begin() + 1, made.keys.end(), is_it) ||
                        std::any_of(made.totals.begin(), made.totals.end(), is_it);
  if (!is_taken) return {};
  return refuse(node, "a column of this query has the name of the unit, \"" + shown(unit) + "\"",
                "give it another name with AS");
}

// ---- what is made of several totals of a unit, and the least and the greatest of its days and times

// Numbers without bounds have a least and a greatest one among those of a unit: they are what they are, and bounds that
// move none of them say so. (The one integer that is moved, by 1, is the least of 64 bits.)
Json within_all(const Json& at, const Json& x, Type type) {
  if (type == Type::real) {
    const auto end = [&](const char* digits) { return cast_of(at, "DOUBLE", text_constant(at, digits)); };
    return call(at, "clamp", {x, end("-1e150"), end("1e150")});
  }
  return call(at, "clamp", {x, whole(at, -INT64_MAX), whole(at, INT64_MAX)});
}

// MIN(day) is the least number of days behind 1970-01-01, as a date again.
Json with_days_as_numbers(Json node, const Scope& scope) {
  if (!node.is_structured()) return node;
  const std::string name = node.is_object() && node.contains("function_name") ? text(node, "function_name") : "";
  const bool is_end = (name == "min" || name == "max") && list(node, "children").size() == 1;
  if (!is_end) {
    for (Json& part : node) part = with_days_as_numbers(std::move(part), scope);
    return node;
  }
  const Json child = list(node, "children")[0];
  const Read<Expression> x = read_expression(child, scope);
  if (!x) return node;
  const std::string alias = node.value("alias", "");
  const auto first_day_of_all = [&] { return cast_of(node, "DATE", text_constant(node, "1970-01-01")); };
  Json made = node;
  made["alias"] = "";
  const bool is_number = x->type() == Type::integer || x->type() == Type::real;
  if (is_number && !x->bounded()) {
    made["children"] = Json::array({within_all(node, child, x->type())});
  } else if (x->type() == Type::date) {
    made["children"] = Json::array({call(node, "date_diff", {text_constant(node, "day"), first_day_of_all(), child})});
    made = sign(node, "+", first_day_of_all(), std::move(made));
  } else if (is_instant(*x)) {
    made["children"] = Json::array({call(node, "epoch_us", {child})});
    made = call(node, "make_timestamp", {std::move(made)});
  }
  made["alias"] = alias;
  return made;
}

// The SELECT list with one statistic, or a key, in each place; what was made of several stands beside it, over names
// that further statistics have.
struct Written {
  Json node;
  std::vector<std::optional<Json>> made = {};
  std::vector<std::string> names = {};
};

Written written_plainly(const Json& node, const Scope& scope) {
  Written all{node};
  Json items = Json::array(), more = Json::array();
  std::size_t count = 0;
  for (const Json& item : list(node, "select_list")) {
    Json one = with_days_as_numbers(item, scope);
    const bool is_lone = one.contains("function_name") && is_statistic(text(one, "function_name"));
    all.names.push_back(name_of_item(item));
    if (!has_statistic(one) || is_lone) {
      all.made.emplace_back();
      items.push_back(std::move(one));
      continue;
    }
    one["alias"] = "";
    Json taken = Json::array();
    name_statistics(one, " total ", taken, count);
    items.push_back(taken[0]);
    for (std::size_t i = 1; i < taken.size(); ++i) more.push_back(taken[i]);
    all.made.emplace_back(std::move(one));
  }
  for (Json& one : more) items.push_back(std::move(one));
  all.node["select_list"] = std::move(items);
  return all;
}

// The columns of the SELECT list over the table that comes out.
Read<std::vector<Key>> projected_over(const Scope& scope, const Written& written,
                                      const std::vector<std::string>& names) {
  std::vector<Key> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < written.made.size() && written.made[i]) {
      const Read<Expression> x = read_expression(*written.made[i], scope);
      if (!x) return tl::unexpected(x.error());
      all.push_back({*x, written.names[i].empty() ? " made " + std::to_string(i) : written.names[i]});
    } else if (const Column* const one = scope.table.column(names[i])) {
      all.push_back({column(*one), names[i]});
    }
  }
  return all;
}

std::vector<Key> renamed(const Table& table, const std::string& unit) {
  std::vector<Key> names;
  for (const Column& one : table.columns) names.push_back({column(one), one.name});
  names.front().name = unit;
  return names;
}

}  // namespace

Read<Scope> read_per_unit(const Json& node, const std::string& alias, Scope scope) {
  if (scope.per_unit) {
    return refuse(node, "rows are added up for each unit once, and this query is over one that does",
                  "write both in one query");
  }
  if (!scope.table.unit) return without_unit(node, scope.table);
  std::vector<Aggregation> statistics;
  const Written plain = written_plainly(node, scope);
  VERNIER_TRY(std::vector<Selected> selected, read_select_list(list(plain.node, "select_list"), {scope, statistics}));
  const std::size_t written = selected.size();
  std::vector<std::string> names;
  for (const Selected& one : selected) names.push_back(one.name);
  VERNIER_TRY(const std::vector<std::size_t> places, read_group_by(plain.node, selected, scope));
  PerUnit made{scope.filter};
  for (const std::size_t place : places) made.keys.push_back({*selected[place].key, selected[place].name});
  add_owner(made.keys, scope.table);
  const auto unit =
      std::find_if(made.keys.begin(), made.keys.end(), [&](const Key& one) { return names_unit(one, scope.table); });
  if (unit == made.keys.end()) return without_unit(node, scope.table);
  std::rotate(made.keys.begin(), unit, unit + 1);
  for (std::size_t i = 0; i < written; ++i) {
    if (std::find(places.begin(), places.end(), i) != places.end()) continue;
    VERNIER_TRY(Aggregation total, total_of(selected[i], statistics));
    made.totals.push_back(std::move(total));
  }
  const std::string called = std::exchange(made.keys.front().name, *scope.table.unit);
  if (const Read<void> checked = check_names(made, node); !checked) return tl::unexpected(checked.error());
  Scope added{per_unit_table(made, scope.table), {}, std::move(scope.joins), {}, scope.parse};
  added.sources = {{alias, 0, added.table.columns.size()}};
  const bool has_made =
      std::any_of(plain.made.begin(), plain.made.end(), [](const auto& one) { return one.has_value(); });
  if (has_made) {
    VERNIER_TRY(added.projected, projected_over(added, plain, names));
    if (const Column* const unit_column = added.table.column(made.keys.front().name);
        unit_column != nullptr && std::find(names.begin(), names.end(), called) != names.end()) {
      std::erase_if(added.projected, [&](const Key& one) { return same_name(one.name, called); });
      added.projected.insert(added.projected.begin(), {column(*unit_column), called});
    }
  } else if (!same_name(called, made.keys.front().name)) {
    added.projected = renamed(added.table, called);
  }
  added.per_unit = std::move(made);
  return added;
}

}  // namespace vernier::query
