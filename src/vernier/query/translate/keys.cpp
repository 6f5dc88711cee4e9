#include <algorithm>

#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

namespace vernier::query {
namespace {

using Position = std::optional<std::size_t>;

// What the steward has named keeps its name.
std::optional<std::string> defined_name(const Json& item, const Selected& column, const Scope& scope) {
  if (column.key) {
    const NamedExpression* const named = named_expression(item, scope);
    return named != nullptr ? std::optional(named->name) : std::nullopt;
  }
  const Json& children = list(item, "children");
  const NamedExpression* const named = children.size() == 1 ? named_expression(children[0], scope) : nullptr;
  if (named == nullptr) return std::nullopt;
  return std::string(name_of(column.aggregation->aggregate)).append("(").append(named->name).append(")");
}

std::string default_name(const Selected& column) {
  if (column.key && column.key->operation() == Operation::column) return column.key->column_name();
  std::string text = column.key ? canonical(*column.key) : canonical(*column.aggregation);
  std::erase(text, '"');
  return text;
}

Read<Selected> read_selected(const Json& item, const Scope& scope) {
  Selected column{text(item, "alias"), {}, {}, place(item).value_or(0)};
  Json bare = item;
  bare["alias"] = "";
  const Read<std::optional<Aggregation>> aggregation = read_aggregation(bare, scope);
  if (!aggregation) return tl::unexpected(aggregation.error());
  column.aggregation = *aggregation;
  if (!column.aggregation) {
    const Read<Expression> key = read_expression(bare, scope);
    if (!key) return tl::unexpected(key.error());
    column.key = *key;
  }
  if (column.name.empty()) column.name = defined_name(bare, column, scope).value_or(default_name(column));
  return column;
}

// The place of the column with this name; the size of the list where there is none.
std::size_t named(const std::vector<Selected>& selected, std::string_view name) {
  const auto found = std::find_if(selected.begin(), selected.end(),
                                  [&](const Selected& column) { return same_name(column.name, name); });
  return static_cast<std::size_t>(found - selected.begin());
}

Position with_expression(const std::vector<Selected>& selected, const Expression& x) {
  const auto found =
      std::find_if(selected.begin(), selected.end(), [&](const Selected& column) { return column.key == x; });
  return found == selected.end() ? Position() : static_cast<std::size_t>(found - selected.begin());
}

// A whole number names a place, counted from 1.
Read<Position> at_position(const Json& node, const std::vector<Selected>& selected) {
  if (text(node, "class") != "CONSTANT") return Position();
  const Read<Expression> constant = read_literal(node);
  const bool whole = constant && constant->operation() == Operation::literal && constant->type() == Type::integer;
  if (!whole) return refuse(node, "a key is a column, an expression, a name behind AS, or a place such as 1");
  const auto number = std::get<std::int64_t>(constant->value());
  if (number < 1 || static_cast<std::size_t>(number) > selected.size()) {
    return refuse(node, "the SELECT list has no column at this place", "it has " + std::to_string(selected.size()));
  }
  return static_cast<std::size_t>(number) - 1;
}

// The column of the SELECT list that the node means. A lone name is looked for as a column of the table first in GROUP
// BY, and as a name of the SELECT list first in ORDER BY, as SQL has it.
Read<std::size_t> resolve(const Json& node, const std::vector<Selected>& selected, const Scope& scope,
                          bool names_first) {
  if (const Read<void> known = check_expression(node); !known) return tl::unexpected(known.error());
  const Read<Position> position = at_position(node, selected);
  if (!position) return tl::unexpected(position.error());
  if (*position) return **position;
  const bool lone = text(node, "class") == "COLUMN_REF" && list(node, "column_names").size() == 1;
  const std::string name = lone ? list(node, "column_names")[0].get<std::string>() : "";
  const std::size_t by_name = lone ? named(selected, name) : selected.size();
  const bool has_name = by_name < selected.size();
  if (names_first && has_name) return by_name;
  const Read<Expression> x = read_expression(node, scope);
  if (!x && has_name) return by_name;
  if (!x) return tl::unexpected(x.error());
  if (const Position found = with_expression(selected, *x)) return *found;
  return refuse(node, "what the rows are grouped or ordered by must stand in the SELECT list", "add it there");
}

std::optional<std::string> problem_of(const Expression& key, const Scope& scope) {
  if (key.operation() == Operation::null || key.operation() == Operation::literal) {
    return "a constant is no key; leave it out";
  }
  const auto* const span = std::get_if<IntegerSpan>(&key.span());
  if (span != nullptr && !is_narrow(*span))
    return "this key may not fit in 64 bits; write CAST(... AS INTEGER) around it";
  if (key.type() != Type::real || key.operation() == Operation::bucket) return std::nullopt;
  const bool declared = key.operation() == Operation::column &&
                        std::any_of(scope.table.columns.begin(), scope.table.columns.end(), [&](const Column& column) {
                          return column.name == key.column_name() && !column.keys.empty();
                        });
  if (declared) return std::nullopt;
  return "a real is no key, since its values hardly repeat; write BUCKET(x, 10) in SELECT and GROUP BY";
}

// Every grouping set but the plain one has other indices.
bool is_plain_grouping(const Json& node) {
  const Json& sets = list(node, "group_sets");
  const std::size_t keys = list(node, "group_expressions").size();
  if (text(node, "aggregate_handling") != "STANDARD_HANDLING") return false;
  if (keys == 0) return sets.empty();
  if (sets.size() != 1 || sets[0].size() != keys) return false;
  for (std::size_t i = 0; i < keys; ++i) {
    if (sets[0][i] != i) return false;
  }
  return true;
}

Read<bool> is_descending(const Json& order) {
  const bool known = has_exactly(order, {"type", "null_order", "expression"});
  const std::string& type = text(order, "type");
  if (!known || text(order, "null_order") != "ORDER_DEFAULT") {
    return refuse(order, "NULLS FIRST and NULLS LAST are not accepted", "write ORDER BY key or ORDER BY key DESC");
  }
  if (type != "ORDER_DEFAULT" && type != "ASCENDING" && type != "DESCENDING") {
    return refuse(order, "rows are ordered by ASC or DESC");
  }
  return type == "DESCENDING";
}

Read<KeyOrder> read_order(const Json& order, const std::vector<Selected>& selected,
                          const std::vector<std::size_t>& keys, const Scope& scope) {
  const Read<bool> descending = is_descending(order);
  if (!descending) return tl::unexpected(descending.error());
  const Read<std::size_t> found = resolve(order.at("expression"), selected, scope, true);
  if (!found) return tl::unexpected(found.error());
  const auto key = std::find(keys.begin(), keys.end(), *found);
  if (key == keys.end()) return refuse(order, "rows are ordered by keys only", "sort by a statistic after the release");
  return KeyOrder{static_cast<std::size_t>(key - keys.begin()), *descending};
}

}  // namespace

Read<std::vector<Selected>> read_select_list(const Json& items, const Scope& scope) {
  std::vector<Selected> selected;
  for (const Json& item : items) {
    const Read<Selected> column = read_selected(item, scope);
    if (!column) return tl::unexpected(column.error());
    if (named(selected, column->name) < selected.size()) {
      return refuse(item, "two columns are named \"" + shown(column->name) + "\"", "give one another name with AS");
    }
    selected.push_back(*column);
  }
  return selected;
}

Read<std::vector<std::size_t>> read_group_by(const Json& node, const std::vector<Selected>& selected,
                                             const Scope& scope) {
  if (!is_plain_grouping(node)) {
    return refuse(list(node, "group_expressions"), "GROUP BY takes a plain list of different keys",
                  "ALL, ROLLUP, CUBE and GROUPING SETS are not accepted");
  }
  std::vector<std::size_t> places;
  for (const Json& key : list(node, "group_expressions")) {
    const Read<std::size_t> found = resolve(key, selected, scope, false);
    if (!found) return tl::unexpected(found.error());
    if (!selected[*found].key) return refuse(key, "a statistic is no key", "group by columns or expressions");
    if (const auto problem = problem_of(*selected[*found].key, scope)) return refuse(key, *problem);
    if (std::find(places.begin(), places.end(), *found) != places.end()) return refuse(key, "this key is named twice");
    places.push_back(*found);
  }
  return places;
}

Read<std::vector<KeyOrder>> read_order_by(const Json& modifiers, const std::vector<Selected>& selected,
                                          const std::vector<std::size_t>& keys, const Scope& scope) {
  std::vector<KeyOrder> orders;
  for (const Json& modifier : modifiers) {
    if (text(modifier, "type") != "ORDER_MODIFIER" || !has_exactly(modifier, {"type", "orders"})) {
      return refuse(modifier, "LIMIT, OFFSET and DISTINCT are not accepted", "every key is published once");
    }
    for (const Json& order : list(modifier, "orders")) {
      const Read<KeyOrder> one = read_order(order, selected, keys, scope);
      if (!one) return tl::unexpected(one.error());
      orders.push_back(*one);
    }
  }
  return orders;
}

}  // namespace vernier::query
