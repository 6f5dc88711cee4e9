#include <algorithm>
#include <array>
#include <map>

#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Function calls and operators, which the parser writes as functions too.
namespace vernier::query {
namespace {

struct Signature {
  Operation operation;
  std::size_t operands;
  std::string_view form;
};

std::optional<Signature> signature(std::string_view name, std::size_t operands) {
  static const std::map<std::string_view, Signature> known{
      {"+", {Operation::add, 2, "a + b"}},
      {"*", {Operation::multiply, 2, "a * b"}},
      {"/", {Operation::divide, 2, "a / b"}},
      {"//", {Operation::divide_truncated, 2, "a // b"}},
      {"%", {Operation::remainder, 2, "a % b"}},
      {"abs", {Operation::absolute, 1, "ABS(x)"}},
      {"floor", {Operation::floor, 1, "FLOOR(x)"}},
      {"ceil", {Operation::ceil, 1, "CEIL(x)"}},
      {"ceiling", {Operation::ceil, 1, "CEILING(x)"}},
      {"round", {Operation::round, 1, "ROUND(x)"}},
      {"nullif", {Operation::null_if, 2, "NULLIF(a, b)"}},
      {"clamp", {Operation::clamp, 3, "CLAMP(x, 0, 100)"}},
      {"is_clamped", {Operation::is_clamped, 1, "IS_CLAMPED(x)"}},
      {"bucket", {Operation::bucket, 2, "BUCKET(x, 10)"}},
  };
  if (name == "-")
    return operands == 1 ? Signature{Operation::negate, 1, "-x"} : Signature{Operation::subtract, 2, "a - b"};
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DatePart> part_named(std::string_view name) {
  static const std::map<std::string_view, DatePart> known{
      {"year", DatePart::year},
      {"quarter", DatePart::quarter},
      {"month", DatePart::month},
      {"week", DatePart::week},
      {"day", DatePart::day},
      {"dow", DatePart::day_of_week},
      {"dayofweek", DatePart::day_of_week},
      {"isodow", DatePart::iso_day_of_week},
      {"doy", DatePart::day_of_year},
      {"dayofyear", DatePart::day_of_year},
  };
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

// The sentence for what is often tried, and one that lists what there is for the rest.
std::string advice(std::string_view name) {
  static const std::map<std::string_view, std::string_view> known{
      {"least", "LEAST is not accepted; write CLAMP(x, 0, 100), or CASE WHEN a < b THEN a ELSE b END"},
      {"greatest", "GREATEST is not accepted; write CLAMP(x, 0, 100), or CASE WHEN a > b THEN a ELSE b END"},
      {"~~", "LIKE is not accepted; write x IN ('a', 'b')"},
      {"!~~", "NOT LIKE is not accepted; write x NOT IN ('a', 'b')"},
      {"~~*", "ILIKE is not accepted; write x IN ('a', 'b')"},
      {"**", "powers are not accepted; write x * x"},
      {"^", "powers are not accepted; write x * x"},
      {"||", "strings are not joined; group by both columns"},
      {"date_trunc", "date_trunc is not accepted; write EXTRACT(year FROM day), EXTRACT(month FROM day)"},
  };
  const auto found = known.find(name);
  if (found != known.end()) return std::string(found->second);
  return "the function " + shown(name) +
         " is not accepted; accepted are ABS, BUCKET, CEIL, CLAMP, COALESCE, EXTRACT, FLOOR, IS_CLAMPED, NULLIF "
         "and ROUND";
}

bool is_aggregate(std::string_view name) {
  constexpr std::array<std::string_view, 10> refused{
      "mode",          "first",         "any_value",       "string_agg", "list",
      "quantile_cont", "quantile_disc", "approx_quantile", "mad",        "approx_count_distinct"};
  return is_statistic(name) || std::find(refused.begin(), refused.end(), name) != refused.end();
}

Read<Expression> read_date_part(const Json& node, const Json& name, const Json& day, const Scope& scope) {
  const Read<Expression> which = read_expression(name, scope);
  if (!which) return which;
  const bool named = which->operation() == Operation::literal && which->type() == Type::string;
  const auto part = named ? part_named(std::get<std::string>(which->value())) : std::nullopt;
  if (!part) return refuse(node, "the part of a date is year, quarter, month, week, day, dow, isodow or doy");
  const Read<Expression> date = read_expression(day, scope);
  if (!date) return date;
  return located(date_part(*part, *date), node);
}

std::string in_capitals(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

const std::string in_words =
    "COUNT(*), COUNT(x), COUNT(DISTINCT x), SUM(x), AVG(x), VARIANCE(x), STDDEV(x), MEDIAN(x), QUANTILE(x, 0.9), "
    "MIN(x) "
    "or MAX(x)";

std::string refused(std::string_view name) {
  if (is_statistic(name)) return "a statistic stands alone in the SELECT list, with a name behind AS: " + in_words;
  if (is_aggregate(name)) return in_capitals(name) + " is not among the statistics; write " + in_words;
  return advice(name);
}

// A part under its own name, as in year(day).
Read<Expression> read_named_part(const Json& node, DatePart part, const Scope& scope) {
  if (list(node, "children").size() != 1) return refuse(node, "it takes one date, as in year(day)");
  const Read<Expression> date = read_expression(list(node, "children")[0], scope);
  if (!date) return date;
  return located(date_part(part, *date), node);
}

}  // namespace

Read<void> check_plain_call(const Json& node) {
  if (!node.at("filter").is_null()) {
    return refuse(node, "FILTER is not accepted", "write SUM(CASE WHEN condition THEN 1 ELSE 0 END)");
  }
  if (node.at("distinct").get<bool>() && text(node, "function_name") != "count")
    return refuse(node, "DISTINCT is accepted in COUNT(DISTINCT x) alone", "write the statistic without it");
  const Json& order = node.at("order_bys");
  if (!has_exactly(order, {"type", "orders"}) || text(order, "type") != "ORDER_MODIFIER" ||
      !list(order, "orders").empty()) {
    return refuse(node, "ORDER BY and WITHIN GROUP inside a function are not accepted");
  }
  const bool extract = text(node, "function_name") == "date_part" && text(node, "schema") == "main";
  if ((!text(node, "schema").empty() && !extract) || !text(node, "catalog").empty()) {
    return refuse(node, "a function has no schema here", "write its name alone");
  }
  if (node.at("export_state").get<bool>() || !node.at("is_operator").is_boolean()) {
    return refuse(node, "EXPORT_STATE is not accepted");
  }
  return {};
}

Read<Expression> read_function(const Json& node, const Scope& scope) {
  const std::string& name = text(node, "function_name");
  if (is_aggregate(name)) return refuse(node, refused(name));
  if (const Read<void> plain = check_plain_call(node); !plain) return tl::unexpected(plain.error());
  const Json& children = list(node, "children");
  if ((name == "date_part" || name == "datepart") && children.size() == 2) {
    return read_date_part(node, children[0], children[1], scope);
  }
  if (const auto part = part_named(name)) return read_named_part(node, *part, scope);
  const std::optional<Signature> known = signature(name, children.size());
  if (!known) return refuse(node, refused(name));
  if (children.size() != known->operands) return refuse(node, "write it as " + std::string(known->form));
  Read<std::vector<Expression>> operands = read_all(children, scope);
  if (!operands) return tl::unexpected(operands.error());
  return located(apply(known->operation, std::move(*operands)), node);
}

// Statistics: an aggregate over an expression whose values are bounded before any data is read.
namespace {

const std::map<std::string_view, Aggregate>& aggregates() {
  using enum Aggregate;
  static const std::map<std::string_view, Aggregate> known = {
      {"count_star", count_rows},
      {"count", count},
      {"sum", sum},
      {"avg", average},
      {"mean", average},
      {"variance", variance_sample},
      {"var_samp", variance_sample},
      {"var_pop", variance_population},
      {"stddev", deviation_sample},
      {"stddev_samp", deviation_sample},
      {"stddev_pop", deviation_population},
      {"median", quantile},
      {"quantile", quantile},
      {"min", least},
      {"max", greatest},
  };
  return known;
}

bool counts(Aggregate aggregate) {
  return aggregate == Aggregate::count || aggregate == Aggregate::count_units || aggregate == Aggregate::count_distinct;
}

// "AVG(CLAMP(x, lower, upper))"
std::string clamped_form(Aggregate aggregate) {
  const char* const others = aggregate == Aggregate::quantile ? ", p)" : ")";
  return std::string(name_of(aggregate)).append("(CLAMP(x, lower, upper)").append(others);
}

std::optional<std::string> problem_of(Aggregate aggregate, const Expression& x) {
  const std::string name(name_of(aggregate));
  if (counts(aggregate)) return std::nullopt;
  if (x.type() == Type::boolean) return name + " takes a number; write CASE WHEN condition THEN 1 ELSE 0 END";
  if (x.type() != Type::integer && x.type() != Type::real) {
    return name + " takes a number, and this is a " + std::string(name_of(x.type()));
  }
  if (!x.bounded()) {
    return name + " needs bounds; write " + clamped_form(aggregate) +
           " with numbers for the bounds, or let the steward declare lower and upper";
  }
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  if (span != nullptr && !is_narrow(*span)) {
    return "the values of " + name + " may not fit in 64 bits; write " + clamped_form(aggregate);
  }
  return std::nullopt;
}

// COUNT(DISTINCT x): of units, or of other values.
Aggregate counted_once(const Expression& x, const Table& table) {
  const bool is_unit = x.operation() == Operation::column && table.unit && same_name(x.column_name(), *table.unit);
  return is_unit ? Aggregate::count_units : Aggregate::count_distinct;
}

// QUANTILE(x, p) alone has a second part; MEDIAN(x) is that of one half.
Read<Fraction> fraction_of(const Json& node, const Json& children) {
  if (text(node, "function_name") != "quantile") return Fraction{};
  return read_fraction(children[1]);
}

std::size_t parts_of(const Json& node) { return text(node, "function_name") == "quantile" ? 2 : 1; }

Read<void> check_parts(const Json& node, Aggregate aggregate) {
  if (list(node, "children").size() == parts_of(node)) return {};
  if (parts_of(node) == 2) return refuse(node, "QUANTILE takes an expression and a fraction, as in QUANTILE(x, 0.9)");
  return refuse(node, std::string(name_of(aggregate)) + " takes one expression");
}

}  // namespace

bool is_statistic(std::string_view name) { return aggregates().contains(name); }

Read<std::optional<Aggregation>> read_aggregation(const Json& node, const Scope& scope) {
  if (text(node, "class") != "FUNCTION") return std::nullopt;
  if (const Read<void> known = check_shape(node); !known) return tl::unexpected(known.error());
  const auto found = aggregates().find(text(node, "function_name"));
  if (found == aggregates().end()) return std::nullopt;
  if (const Read<void> plain = check_plain_call(node); !plain) return tl::unexpected(plain.error());
  Aggregate aggregate = found->second;
  const Json& children = list(node, "children");
  if (children.empty() && aggregate == Aggregate::count_rows) return Aggregation{aggregate, std::nullopt, ""};
  if (const Read<void> whole = check_parts(node, aggregate); !whole) return tl::unexpected(whole.error());
  const Read<Expression> argument = read_expression(children[0], scope);
  if (!argument) return tl::unexpected(argument.error());
  if (argument->operation() == Operation::null)
    return refuse(children[0], "a statistic of NULL is empty", "name a column");
  if (const auto problem = problem_of(aggregate, *argument)) return refuse(children[0], *problem);
  const Read<Fraction> fraction = fraction_of(node, children);
  if (!fraction) return tl::unexpected(fraction.error());
  if (node.at("distinct").get<bool>()) aggregate = counted_once(*argument, scope.table);
  return Aggregation{aggregate, *argument, "", *fraction};
}

}  // namespace vernier::query
