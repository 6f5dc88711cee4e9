#include <map>

#include "vernier/query/translate.hpp"

// Statistics: an aggregate over an expression whose values are bounded before any data is read.
namespace vernier::query {
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
    return refuse(children[0], "a statistic of NULL is empty; name a column");
  if (const auto problem = problem_of(aggregate, *argument)) return refuse(children[0], *problem);
  const Read<Fraction> fraction = fraction_of(node, children);
  if (!fraction) return tl::unexpected(fraction.error());
  if (node.at("distinct").get<bool>()) aggregate = counted_once(*argument, scope.table);
  return Aggregation{aggregate, *argument, "", *fraction};
}

}  // namespace vernier::query
