#include <algorithm>
#include <cmath>

#include "vernier/query/expression/moment.hpp"
#include "vernier/query/translate/example.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

namespace vernier::query {
namespace {

using Position = std::optional<std::size_t>;

// What a call stands for may be much longer; then the column has the name of the call.
constexpr std::size_t longest_name = 120;

// What the steward has named keeps its name.
std::optional<std::string> defined_name(const Json& item, const Selected& column, const StatisticScope& in) {
  const Scope& scope = in.scope;
  if (column.key && !scope.projected.empty() && text(item, "class") == "COLUMN_REF") {
    return list(item, "column_names").back().get<std::string>();
  }
  if (column.key) {
    const NamedExpression* const named = named_expression(item, scope);
    return named != nullptr ? std::optional(named->name) : std::nullopt;
  }
  const std::optional<std::size_t> statistic = column.statistic();
  if (!statistic || text(item, "class") != "FUNCTION" || !item.at("filter").is_null()) return std::nullopt;
  const Json& children = list(item, "children");
  const NamedExpression* const named = children.size() == 1 ? named_expression(children[0], scope) : nullptr;
  if (named == nullptr) return std::nullopt;
  return std::string(name_of(in.statistics[*statistic].aggregate)).append("(").append(named->name).append(")");
}

std::string without_brackets(std::string text) {
  const bool has_brackets = text.starts_with('(') && text.ends_with(')');
  int depth = 0;
  for (std::size_t i = 0; has_brackets && i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text;
  }
  return has_brackets ? text.substr(1, text.size() - 2) : text;
}

std::string default_name(const Selected& column, const std::vector<Aggregation>& statistics) {
  if (column.key && column.key->operation() == Operation::column) return column.key->column_name();
  std::vector<std::string> texts(statistics.size());
  for (const FormulaStep& step : column.steps) {
    if (step.operation == FormulaOperation::column) texts[step.column] = canonical(statistics[step.column]);
  }
  std::string text = column.key ? canonical(*column.key) : without_brackets(text_of(column.steps, texts));
  std::erase(text, '"');
  return text;
}

bool is_whole(const Expression& x);

bool are_whole(const std::vector<Expression>& all) { return std::all_of(all.begin(), all.end(), is_whole); }

// Whether a real has whole numbers alone, as FLOOR(x / 10) * 10 has.
bool is_whole(const Expression& x) {
  using enum Operation;
  if (x.type() != Type::real) return x.type() == Type::integer;
  const std::vector<Expression>& parts = x.operands();
  switch (x.operation()) {
    case Operation::literal:
      return std::get<double>(x.value()) == std::floor(std::get<double>(x.value()));
    case Operation::floor:
    case Operation::ceil:
    case Operation::round:
    case Operation::null:
      return true;
    case Operation::cast:
      return parts.front().type() == Type::integer || parts.front().type() == Type::boolean;
    case add:
    case subtract:
    case multiply:
    case negate:
    case absolute:
    case coalesce:
    case null_if:
    case clamp:
    case bucket:
      return are_whole(parts);
    case case_when: {
      bool all = is_whole(parts.back());
      for (std::size_t i = 1; i < parts.size(); i += 2) all = all && is_whole(parts[i]);
      return all;
    }
    default:
      return false;
  }
}

// Whole numbers are keys as integers of 64 bits; of one that does not fit there is no group.
Expression as_whole(const Expression& x) {
  if (is_instant(x)) {
    const Result<Expression> text = cast(x, Type::string);
    return text ? *text : x;
  }
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  const bool is_real = x.type() == Type::real && x.operation() != Operation::bucket && is_whole(x);
  if (!is_real && (span == nullptr || is_narrow(*span) || x.operation() == Operation::null)) return x;
  const Result<Expression> made = cast(x, Type::integer);
  return made ? *made : x;
}

// A column as a key: rows that have none of its declared keys count under the one that is declared for the rest.
Expression as_key(const Expression& x, const Table& table) {
  if (x.operation() != Operation::column) return as_whole(x);
  const Column& column = *table.column(x.column_name());
  if (!column.rest) return x;
  std::vector<Expression> declared = {x};
  for (const Value& key : column.keys) declared.push_back(literal(key));
  const Expression is_declared = *apply(Operation::in, std::move(declared));
  return *apply(Operation::case_when, {is_declared, x, literal(*column.rest)});
}

// A number as it is written, with a sign or without: a column that is made of no statistic.
bool is_number(const Json& item) {
  if (text(item, "class") == "CONSTANT") return true;
  const bool is_call = text(item, "class") == "FUNCTION" && text(item, "function_name") == "-";
  return is_call && list(item, "children").size() == 1 && text(list(item, "children")[0], "class") == "CONSTANT";
}

Read<Selected> read_selected(const Json& item, const StatisticScope& scope) {
  Selected column{text(item, "alias"), {}, {}, place(item).value_or(0)};
  Json bare = item;
  bare["alias"] = "";
  if (text(item, "class") == "STAR") {
    return refuse(item, "* stands only in COUNT(*), and rows by themselves are never published",
                  "name keys and statistics, as in " + example_statement(scope.scope.table));
  }
  if (has_statistic(bare) || is_number(bare)) {
    const Read<std::vector<FormulaStep>> steps = read_formula(bare, scope);
    if (!steps) return tl::unexpected(steps.error());
    column.steps = *steps;
  } else {
    const Read<Expression> key = read_expression(bare, scope.scope);
    if (!key) return tl::unexpected(key.error());
    column.key = *key;
  }
  if (column.name.empty()) {
    column.name = defined_name(bare, column, scope).value_or(default_name(column, scope.statistics));
    const bool is_call = column.key && text(item, "class") == "FUNCTION";
    if (is_call && column.name.size() > longest_name) column.name = text(item, "function_name");
  }
  if (column.key) column.key = as_key(*column.key, scope.scope.table);
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

// Whether the name stands anywhere in it.
bool has_name(const Json& node, std::string_view name) {
  if (!node.is_structured()) return false;
  if (node.is_object() && node.contains("column_names")) {
    const Json& names = list(node, "column_names");
    return names.size() == 1 && same_name(names[0].get_ref<const std::string&>(), name);
  }
  return std::any_of(node.begin(), node.end(), [&](const Json& part) { return has_name(part, name); });
}

std::string lone_name(const Json& node) {
  const bool is_lone = text(node, "class") == "COLUMN_REF" && list(node, "column_names").size() == 1;
  return is_lone ? list(node, "column_names")[0].get<std::string>() : "";
}

// The column of the SELECT list that a key of GROUP BY means; one that it does not have is added. A lone name is looked
// for as a column of the table first, as SQL has it.
Read<std::size_t> resolve_key(const Json& node, std::vector<Selected>& selected, std::size_t written,
                              const Scope& scope) {
  if (const Read<void> known = check_expression(node); !known) return tl::unexpected(known.error());
  const std::vector<Selected> list_of_select(selected.begin(), selected.begin() + static_cast<std::ptrdiff_t>(written));
  const Read<Position> position = at_position(node, list_of_select);
  if (!position) return tl::unexpected(position.error());
  if (*position) return **position;
  const std::string name = lone_name(node);
  const std::size_t by_name = name.empty() ? selected.size() : named(selected, name);
  const Read<Expression> x = read_expression(node, scope);
  if (!x && by_name < selected.size()) return by_name;
  if (!x) return tl::unexpected(x.error());
  if (const Position found = with_expression(selected, as_key(*x, scope.table))) return *found;
  Selected added{"", *x, {}, place(node).value_or(0)};
  const NamedExpression* const defined = named_expression(node, scope);
  added.name = defined != nullptr ? defined->name : default_name(added, {});
  added.key = as_key(*x, scope.table);
  while (named(selected, added.name) < selected.size()) added.name += "_key";
  selected.push_back(std::move(added));
  return selected.size() - 1;
}

std::optional<std::string> problem_of(const Expression& key) {
  if (key.operation() == Operation::null || key.operation() == Operation::literal) {
    return "a constant is no key; leave it out";
  }
  const auto* const span = std::get_if<IntegerSpan>(&key.span());
  if (span != nullptr && !is_narrow(*span))
    return "this key may not fit in 64 bits; write CAST(... AS INTEGER) around it";
  if (is_elapsed(key)) return "a time that went by is no key; write EXTRACT(epoch FROM ...) around it, and BUCKET";
  return std::nullopt;
}

// Every grouping set but the plain one has other indices.
bool is_plain_grouping(const Json& node) {
  const Json& sets = list(node, "group_sets");
  const std::size_t keys = list(node, "group_expressions").size();
  if (text(node, "aggregate_handling") != "STANDARD_HANDLING") return false;
  if (keys == 0) return sets.empty() || (sets.size() == 1 && sets[0].empty());  // GROUP BY ()
  if (sets.size() != 1 || sets[0].size() != keys) return false;
  for (std::size_t i = 0; i < keys; ++i) {
    if (sets[0][i] != i) return false;
  }
  return true;
}

// Keys are never NULL, so that it does not matter where NULL would stand.
Read<bool> is_descending(const Json& order) {
  const std::string& type = text(order, "type");
  const std::string& nulls = has_exactly(order, {"type", "null_order", "expression"}) ? text(order, "null_order") : "";
  if (nulls != "ORDER_DEFAULT" && nulls != "NULLS FIRST" && nulls != "NULLS LAST") {
    return refuse(order, "this order has a part that is not known");
  }
  if (type != "ORDER_DEFAULT" && type != "ASCENDING" && type != "DESCENDING") {
    return refuse(order, "rows are ordered by ASC or DESC");
  }
  return type == "DESCENDING";
}

OrderTerm term_of(const std::vector<Selected>& selected, const std::vector<std::size_t>& keys, std::size_t place,
                  bool descending) {
  if (!selected[place].steps.empty()) return {{}, selected[place].steps, descending};
  const auto key = std::find(keys.begin(), keys.end(), place);
  if (key == keys.end()) return {{}, {}, descending};
  return {static_cast<std::size_t>(key - keys.begin()), {}, descending};
}

// A lone name is looked for in the SELECT list first, as SQL has it.
Read<OrderTerm> read_order(const Json& order, const std::vector<Selected>& selected,
                           const std::vector<std::size_t>& keys, const StatisticScope& in) {
  const Read<bool> descending = is_descending(order);
  if (!descending) return tl::unexpected(descending.error());
  const Json& node = order.at("expression");
  if (const Read<void> known = check_expression(node); !known) return tl::unexpected(known.error());
  const Read<Position> position = at_position(node, selected);
  if (!position) return tl::unexpected(position.error());
  const std::string name = lone_name(node);
  const std::size_t by_name = name.empty() ? selected.size() : named(selected, name);
  if (*position) return term_of(selected, keys, **position, *descending);
  if (by_name < selected.size()) return term_of(selected, keys, by_name, *descending);
  StatisticScope behind{in.scope, in.statistics, &selected};
  const bool is_made = std::any_of(selected.begin(), selected.end(),
                                   [&](const Selected& one) { return !one.steps.empty() && has_name(node, one.name); });
  if (has_statistic(node) || is_made) {
    const Read<std::vector<FormulaStep>> steps = read_formula(node, behind);
    if (!steps) return tl::unexpected(steps.error());
    return OrderTerm{{}, *steps, *descending};
  }
  const Read<Expression> x = read_expression(node, in.scope);
  if (!x) return tl::unexpected(x.error());
  const Position found = with_expression(selected, as_key(*x, in.scope.table));
  if (found) return term_of(selected, keys, *found, *descending);
  return refuse(node, "rows of the result are ordered by their keys and statistics, and this is neither",
                keys.empty() ? "leave out ORDER BY, since there is one row"
                             : "write ORDER BY " + selected[keys.front()].name + " or ORDER BY COUNT(*) DESC");
}

Read<std::int64_t> read_count(const Json& node, std::string_view what) {
  const Read<Expression> constant =
      text(node, "class") == "CONSTANT" ? read_literal(node) : Read<Expression>(null_of(Type::integer));
  if (!constant) return tl::unexpected(constant.error());
  const auto* const count =
      constant->operation() == Operation::literal ? std::get_if<std::int64_t>(&constant->value()) : nullptr;
  if (count != nullptr && *count >= 0) return *count;
  return refuse(node, std::string(what) + " takes a whole number, as in " + std::string(what) + " 10");
}

// Of no statistic.
bool is_constant(const std::vector<FormulaStep>& steps) {
  return std::none_of(steps.begin(), steps.end(),
                      [](const FormulaStep& one) { return one.operation == FormulaOperation::column; });
}

}  // namespace

Read<std::vector<Selected>> read_select_list(const Json& items, const StatisticScope& scope) {
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

bool is_distinct(const Json& modifiers) {
  return std::any_of(modifiers.begin(), modifiers.end(),
                     [](const Json& one) { return text(one, "type") == "DISTINCT_MODIFIER"; });
}

namespace {

// LIMIT ALL, and none.
bool is_no_limit(const Json& limit) {
  return limit.is_null() || (text(limit, "class") == "CONSTANT" && limit.at("value").value("is_null", false) == true);
}

// A number as it was written: SELECT 1, region, COUNT(*) ... GROUP BY 1, region.
bool is_number_alone(const Selected& column) {
  return column.steps.size() == 1 && column.steps.front().operation == FormulaOperation::number;
}

// GROUP BY ALL, and SELECT DISTINCT without statistics: by whatever is no statistic.
Read<std::vector<std::size_t>> all_keys(const Json& node, const std::vector<Selected>& selected) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    if (!selected[i].key) continue;
    if (const auto problem = problem_of(*selected[i].key)) return refuse(node, *problem);
    places.push_back(i);
  }
  return places;
}

bool groups_by_all(const Json& node, const std::vector<Selected>& selected) {
  if (text(node, "aggregate_handling") == "FORCE_AGGREGATES") return true;
  const bool has_statistics =
      std::any_of(selected.begin(), selected.end(), [](const Selected& one) { return !one.steps.empty(); });
  return list(node, "group_expressions").empty() && is_distinct(list(node, "modifiers")) && !has_statistics;
}

}  // namespace

Read<std::vector<std::size_t>> read_group_by(const Json& node, std::vector<Selected>& selected, const Scope& scope) {
  if (groups_by_all(node, selected)) return all_keys(list(node, "select_list"), selected);
  if (!is_plain_grouping(node)) {
    return refuse(list(node, "group_expressions"), "GROUP BY takes a plain list of different keys",
                  "ROLLUP, CUBE and GROUPING SETS are not accepted");
  }
  const std::size_t written = selected.size();
  std::vector<std::size_t> places;
  for (const Json& key : list(node, "group_expressions")) {
    const Read<std::size_t> found = resolve_key(key, selected, written, scope);
    if (!found) return tl::unexpected(found.error());
    if (is_number_alone(selected[*found])) continue;  // one for all rows
    if (!selected[*found].key) return refuse(key, "a statistic is no key", "group by columns or expressions");
    if (const auto problem = problem_of(*selected[*found].key)) return refuse(key, *problem);
    if (std::find(places.begin(), places.end(), *found) != places.end()) return refuse(key, "this key is named twice");
    places.push_back(*found);
  }
  return places;
}

Read<Modifiers> read_modifiers(const Json& modifiers, const std::vector<Selected>& selected,
                               const std::vector<std::size_t>& keys, const StatisticScope& scope) {
  Modifiers made;
  for (const Json& modifier : modifiers) {
    const std::string& type = text(modifier, "type");
    if (type == "ORDER_MODIFIER" && has_exactly(modifier, {"type", "orders"})) {
      for (const Json& order : list(modifier, "orders")) {
        const Read<OrderTerm> one = read_order(order, selected, keys, scope);
        if (!one) return tl::unexpected(one.error());
        if (!one->key && is_constant(one->steps)) continue;
        made.order.push_back(*one);
      }
    } else if (type == "LIMIT_MODIFIER" && has_exactly(modifier, {"type", "limit", "offset"})) {
      if (!is_no_limit(modifier.at("limit"))) {
        const Read<std::int64_t> count = read_count(modifier.at("limit"), "LIMIT");
        if (!count) return tl::unexpected(count.error());
        made.limit = *count;
      }
      if (!modifier.at("offset").is_null()) {
        const Read<std::int64_t> count = read_count(modifier.at("offset"), "OFFSET");
        if (!count) return tl::unexpected(count.error());
        made.offset = *count;
      }
    } else if (type == "DISTINCT_MODIFIER" && has_exactly(modifier, {"type", "distinct_on_targets"}) &&
               list(modifier, "distinct_on_targets").empty()) {
      made.is_distinct = true;
    } else {
      return refuse(modifier, "LIMIT takes a number of rows, and DISTINCT all columns", "write LIMIT 10");
    }
  }
  return made;
}

}  // namespace vernier::query
