#include <algorithm>
#include <numeric>

#include "vernier/query/component.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/translate/example.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Statistics: an aggregate over an expression whose values are bounded before any data is read.
namespace vernier::query {
namespace {

constexpr std::size_t longest_advice = 120;

// "CLAMP(weight, 0, 100) in place of weight"
std::string clamped_form(const Expression& x) {
  const std::string form = written(x);
  if (form.size() > longest_advice) return "write CLAMP(..., 0, 100) around it, with bounds of your own";
  return "write CLAMP(" + form + ", 0, 100) in place of " + form + ", with bounds of your own";
}

// What to write in place of something that is no number.
std::string number_of(const Expression& x) {
  if (x.type() == Type::boolean) return "write CASE WHEN " + written(x) + " THEN 1 ELSE 0 END";
  if (x.type() != Type::date) return "write COUNT(" + written(x) + "), or the statistic of a number";
  const auto* const days = std::get_if<DaySpan>(&x.span());
  return "write DATE_DIFF('day', DATE '" + text_of(days->lower) + "', " + written(x) + ") for the days since then";
}

std::string seconds_of(const Expression& x) {
  const auto lower = static_cast<std::int64_t>(std::get<IntegerSpan>(x.span()).lower);
  return "write DATE_DIFF('second', TIMESTAMP '" + text_of_instant(lower) +
         "', ...) around it, for the seconds since then";
}

std::optional<Error> problem_of(Aggregate aggregate, const Expression& x) {
  const std::string name(name_of(aggregate));
  if (!facts_of(aggregate).needs_bounds) return std::nullopt;
  if (is_instant(x)) return Error{ErrorKind::invalid, name + " takes a number, and this is a time", {}, seconds_of(x)};
  if (is_elapsed(x)) {
    return Error{ErrorKind::invalid,
                 name + " takes a number, and this is a time that went by",
                 {},
                 "write EXTRACT(epoch FROM ...) around it, for its seconds"};
  }
  if (x.type() != Type::integer && x.type() != Type::real) {
    const std::string type = x.type() == Type::boolean ? "truth" : std::string(name_of(x.type()));
    return Error{ErrorKind::invalid, name + " takes a number, and this is a " + type, {}, number_of(x)};
  }
  if (!x.bounded()) {
    return Error{ErrorKind::invalid,
                 name + " needs bounds",
                 {},
                 clamped_form(x) + ", or let the steward declare lower and upper"};
  }
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  if (span != nullptr && !is_narrow(*span)) {
    return Error{ErrorKind::invalid, "the values of " + name + " may not fit in 64 bits", {}, clamped_form(x)};
  }
  return std::nullopt;
}

// Names that other systems have for the same.
std::optional<Aggregate> asked_for(std::string_view name) {
  if (name == "approx_quantiles" || name == "anon_quantiles" || name == "anon_percentile_cont")
    return Aggregate::quantile;
  if (name == "anon_var" || name == "anon_variance") return Aggregate::variance_sample;
  if (name == "anon_stddev") return Aggregate::deviation_sample;
  if (const auto component = component_spelled(name)) return component;
  return aggregate_spelled(name);
}

// COUNT(DISTINCT x): of units, or of other values.
Aggregate counted_once(const Expression& x, const Table& table) {
  const bool is_unit = x.operation() == Operation::column && table.unit && same_name(x.column_name(), *table.unit);
  return is_unit ? Aggregate::count_units : Aggregate::count_distinct;
}

// COUNT(*) FILTER (WHERE c) is COUNT(CASE WHEN c THEN 1 END); of others the argument is NULL where c is not true. It
// counts other rows, and is a measurement of its own.
Read<Expression> where_true(const Json& node, const Expression& condition, const Expression& x) {
  return located(apply(Operation::case_when, {condition, x, null_of(x.type())}), node);
}

// The parts of a call, however they were spelled.
struct Call {
  Aggregate aggregate;
  std::optional<Json> argument = {};
  std::vector<Json> others = {};  // what stands behind y in a pair or a regression
  Fraction fraction = {};
  std::optional<Json> condition = {};  // of FILTER, or of COUNT_IF
};

// A literal whole number; none where it is anything else.
std::optional<std::int64_t> whole_number(const Json& node) {
  if (text(node, "class") != "CONSTANT") return std::nullopt;
  const Read<Expression> x = read_literal(node);
  const auto* const whole =
      x && x->operation() == Operation::literal ? std::get_if<std::int64_t>(&x->value()) : nullptr;
  return whole == nullptr ? std::nullopt : std::optional(*whole);
}

bool is_quantile_call(std::string_view name) { return name != "median"; }

// APPROX_QUANTILES(x, 4)[OFFSET(1)], which comes here as APPROX_QUANTILES(x, 4, 1), and with ORDINAL(2) as (x, 4, -2).
Read<Call> one_of_quantiles(const Json& node, Call call) {
  const Json& children = list(node, "children");
  const auto number_at = [&](std::size_t place) -> std::optional<std::int64_t> {
    const Json& child = children[place];
    const bool is_negative = text(child, "class") == "FUNCTION" && text(child, "function_name") == "-";
    const std::optional<std::int64_t> whole = whole_number(is_negative ? list(child, "children").at(0) : child);
    return whole && is_negative ? std::optional(-*whole) : whole;
  };
  const std::optional<std::int64_t> parts = children.size() == 3 ? number_at(1) : std::nullopt;
  std::optional<std::int64_t> place = parts ? number_at(2) : std::nullopt;
  if (place && *place < 0) place = -*place - 1;
  const bool is_good = place && *parts >= 1 && *parts <= 1'000'000 && *place >= 0 && *place <= *parts;
  const std::int64_t common = is_good ? std::gcd(*place, *parts) : 1;
  if (!is_good || 1'000'000 % (*parts / common) != 0) {
    return refuse(node, "one number of APPROX_QUANTILES is published, at a part of the rows that is a short decimal",
                  "write APPROX_QUANTILES(x, 4)[OFFSET(1)] or QUANTILE(x, 0.25)");
  }
  call.argument = children[0];
  call.fraction = {*place / common, *parts / common};
  if (*place == 0) return Call{.aggregate = Aggregate::least, .argument = children[0], .condition = call.condition};
  if (*place == *parts)
    return Call{.aggregate = Aggregate::greatest, .argument = children[0], .condition = call.condition};
  return call;
}

// QUANTILE(x, p) and PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x); MEDIAN(x) is that of one half.
Read<Call> quantile_call(const Json& node, Call call) {
  const Json& children = list(node, "children");
  const Json& orders = list(node.at("order_bys"), "orders");
  const std::string& name = text(node, "function_name");
  if (name == "approx_quantiles" || name == "anon_quantiles") return one_of_quantiles(node, std::move(call));
  if (!is_quantile_call(text(node, "function_name"))) {
    if (children.size() != 1 || !orders.empty()) return refuse(node, "MEDIAN takes one expression");
    call.argument = children[0];
    return call;
  }
  const bool is_within = children.size() == 1 && orders.size() == 1;
  if (!is_within && (children.size() != 2 || !orders.empty())) {
    return refuse(node, "QUANTILE takes an expression and a fraction, as in QUANTILE(x, 0.9)");
  }
  const Read<Fraction> fraction = read_fraction(is_within ? children[0] : children[1]);
  if (!fraction) return tl::unexpected(fraction.error());
  call.fraction = *fraction;
  call.argument = is_within ? orders[0].at("expression") : children[0];
  if (is_within && text(orders[0], "type") == "DESCENDING") call.fraction.parts = fraction->whole - fraction->parts;
  return call;
}

// SUM(x, contribution_bounds_per_group => (0, 10)) of GoogleSQL is SUM(CLAMP(x, 0, 10)), and so is what its older form
// ANON_SUM(x CLAMPED BETWEEN 0 AND 10) comes here as, ANON_SUM(x, 0, 10). How many rows of a unit count max_rows says.
bool is_named(const Json& node, std::string_view name) { return same_name(text(node, "alias"), name); }

bool is_bounds(const Json& node) {
  return (is_named(node, "contribution_bounds_per_group") || is_named(node, "contribution_bounds_per_row")) &&
         text(node, "class") == "FUNCTION" && text(node, "function_name") == "row" &&
         list(node, "children").size() == 2;
}

// The call without those, and the bounds of its argument.
struct Bounded {
  Json call;
  std::vector<Json> bounds = {};
};

Bounded without_bounds(const Json& node) {
  Bounded made{node};
  Json kept = Json::array();
  for (const Json& child : list(node, "children")) {
    if (is_named(child, "report_format")) continue;
    if (is_bounds(child)) {
      made.bounds = list(child, "children").get<std::vector<Json>>();
    } else {
      kept.push_back(child);
    }
  }
  const std::string& name = text(node, "function_name");
  const std::size_t own = name == "anon_percentile_cont" || name == "anon_quantiles" ? 2 : 1;
  if (name.starts_with("anon_") && kept.size() == own + 2) {
    made.bounds = {kept[own], kept[own + 1]};
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(own), kept.end());
  }
  made.call["children"] = std::move(kept);
  return made;
}

Json clamped_to(const Json& node, const Json& x, const std::vector<Json>& bounds) {
  Json clamp = node;
  clamp["function_name"] = "clamp";
  clamp["filter"] = nullptr;
  clamp["distinct"] = false;
  clamp["alias"] = "";
  clamp["order_bys"]["orders"] = Json::array();
  clamp["children"] = Json::array({x, bounds[0], bounds[1]});
  return clamp;
}

constexpr std::size_t most_regressors = 8;

// COMPONENT_VARIANCE(1, x1, x2): of as many columns as there are components at least.
Read<Call> component_call(const Json& node, Call call) {
  const Json& children = list(node, "children");
  const std::string name(name_of_component(call.aggregate));
  const std::string advice = "write " + name + "(1, x1, x2) for the first component of two columns";
  if (children.size() < 3 || children.size() > 2 + most_regressors) {
    return refuse(node, name + " takes the number of a component and 2 to 9 columns", advice);
  }
  const std::optional<std::int64_t> number = whole_number(children[0]);
  if (!number || *number < 1 || *number > static_cast<std::int64_t>(children.size()) - 1) {
    return refuse(node, name + " begins with the number of a component, from 1 to the number of columns", advice);
  }
  call.fraction = {*number, 1};
  call.argument = children[1];
  call.others.assign(children.begin() + 2, children.end());
  return call;
}

// CORR(y, x), REGR_SLOPE(y, x1, x2).
Read<Call> pair_call(const Json& node, Call call) {
  const Json& children = list(node, "children");
  const std::string name(name_of(call.aggregate));
  const bool takes_several = facts_of(call.aggregate).takes_several;
  if (takes_several && (children.size() < 2 || children.size() > 1 + most_regressors)) {
    return refuse(node, name + " takes y and 1 to 8 x, as in " + name + "(y, x1, x2)");
  }
  if (!takes_several && children.size() != 2) {
    return refuse(node, name + " takes two expressions, first y and then x, as in " + name + "(y, x)");
  }
  call.argument = children[0];
  call.others.assign(children.begin() + 1, children.end());
  return call;
}

// What is left of the call has no FILTER and no WITHIN GROUP.
Json plain_of(const Json& node, Aggregate aggregate) {
  Json plain = node;
  plain["filter"] = nullptr;
  if (aggregate == Aggregate::quantile) plain["order_bys"]["orders"] = Json::array();
  return plain;
}

Read<Call> read_plain_call(const Json& node, Aggregate aggregate) {
  if (const Read<void> plain = check_plain_call(plain_of(node, aggregate)); !plain)
    return tl::unexpected(plain.error());
  Call call{aggregate};
  if (!node.at("filter").is_null()) call.condition = node.at("filter");
  const std::string& name = text(node, "function_name");
  const Json& children = list(node, "children");
  if (aggregate == Aggregate::quantile) return quantile_call(node, std::move(call));
  const bool is_star = children.size() == 1 && text(children[0], "class") == "STAR" && aggregate == Aggregate::count;
  if (is_star || (children.empty() && (aggregate == Aggregate::count_rows || name == "anon_count"))) return call;
  if (component_spelled(name)) return component_call(node, std::move(call));
  if (facts_of(aggregate).takes_pair) return pair_call(node, std::move(call));
  if (children.size() != 1) return refuse(node, std::string(name_of(aggregate)) + " takes one expression");
  if (name == "count_if" || name == "countif") {
    if (call.condition) return refuse(node, "COUNT_IF takes no FILTER", "write COUNT(*) FILTER (WHERE a AND b)");
    return Call{.aggregate = Aggregate::count_rows, .condition = children[0]};
  }
  call.argument = children[0];
  return call;
}

Read<Call> read_call(const Json& node, Aggregate aggregate) {
  const Bounded plain = without_bounds(node);
  Read<Call> call = read_plain_call(plain.call, aggregate);
  const bool is_clamped = call && call->argument && !plain.bounds.empty() && call->aggregate != Aggregate::count &&
                          call->aggregate != Aggregate::count_distinct;
  if (is_clamped) call->argument = clamped_to(node, *call->argument, plain.bounds);
  return call;
}

// A truth is 1 or 0 where numbers are added.
Read<Expression> as_number(const Json& node, const Expression& x, Aggregate aggregate) {
  const bool is_added = aggregate == Aggregate::sum || aggregate == Aggregate::average;
  if (!is_added || x.type() != Type::boolean || x.operation() == Operation::null) return x;
  return located(cast(x, Type::integer), node);
}

// A number between bounds, where the aggregate needs one.
Read<Expression> read_argument(const Json& node, Aggregate aggregate, const Scope& scope) {
  Read<Expression> argument = read_expression(node, scope);
  if (!argument) return argument;
  if (argument->operation() == Operation::null) return refuse(node, "a statistic of NULL is empty", "name a column");
  argument = as_number(node, *argument, aggregate);
  if (!argument) return argument;
  if (auto problem = problem_of(aggregate, *argument)) return refuse(node, *std::move(problem));
  if (is_instant(*argument) || is_elapsed(*argument)) return ticks_of(*argument);  // which are counted
  return argument;
}

// What stands behind y: no expression twice.
Read<std::vector<Expression>> read_others(const Call& call, const Expression& argument, const Scope& scope) {
  std::vector<Expression> all;
  for (const Json& node : call.others) {
    Read<Expression> other = read_argument(node, call.aggregate, scope);
    if (!other) return tl::unexpected(other.error());
    if (std::find(all.begin(), all.end(), *other) != all.end()) {
      return refuse(node, "a regression has each x once", "leave one of them out");
    }
    if (call.fraction.whole == 1 && *other == argument) {
      return refuse(node, "components are of different columns", "leave one of them out");
    }
    all.push_back(*std::move(other));
  }
  return all;
}

// The aggregation with x and further ones.
Aggregation with_others(Aggregation made, std::vector<Expression> others) {
  if (others.empty()) return made;
  made.other = others.front();
  made.more.assign(others.begin() + 1, others.end());
  return made;
}

Read<std::optional<Expression>> read_filter(const std::optional<Json>& condition, const Scope& scope) {
  if (!condition) return std::nullopt;
  const Read<Expression> x = read_expression(*condition, scope);
  if (!x) return tl::unexpected(x.error());
  if (x->type() == Type::boolean && x->operation() != Operation::null) return *x;
  return refuse(*condition, "a condition is needed here", "write for example " + example_condition(scope.table));
}

}  // namespace

bool is_statistic(std::string_view name) { return asked_for(name).has_value(); }

Read<std::optional<Aggregation>> read_aggregation(const Json& node, const Scope& scope) {
  if (text(node, "class") != "FUNCTION") return std::nullopt;
  if (const Read<void> known = check_shape(node); !known) return tl::unexpected(known.error());
  const std::optional<Aggregate> found = asked_for(text(node, "function_name"));
  if (!found) return std::nullopt;
  const Read<Call> call = read_call(node, *found);
  if (!call) return tl::unexpected(call.error());
  const Read<std::optional<Expression>> condition = read_filter(call->condition, scope);
  if (!condition) return tl::unexpected(condition.error());
  if (!call->argument && !*condition) return Aggregation{Aggregate::count_rows, std::nullopt, ""};
  const Json& place = call->argument ? *call->argument : node;
  const Read<Expression> argument =
      call->argument ? read_argument(place, call->aggregate, scope) : Read<Expression>(literal(std::int64_t{1}));
  if (!argument) return tl::unexpected(argument.error());
  const Read<std::vector<Expression>> others = read_others(*call, *argument, scope);
  if (!others) return tl::unexpected(others.error());
  Aggregate aggregate = call->argument ? call->aggregate : Aggregate::count;
  // MIN and MAX of different values are those of all.
  const bool is_once =
      (node.at("distinct").get<bool>() && aggregate == Aggregate::count) || aggregate == Aggregate::count_distinct;
  if (is_once) aggregate = *condition ? Aggregate::count_distinct : counted_once(*argument, scope.table);
  if (!*condition) return with_others({aggregate, *argument, "", call->fraction}, *others);
  const Read<Expression> filtered = where_true(place, **condition, *argument);
  if (!filtered) return tl::unexpected(filtered.error());
  return with_others({aggregate, *filtered, "", call->fraction}, *others);
}

}  // namespace vernier::query
