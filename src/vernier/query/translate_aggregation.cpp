#include <map>

#include "vernier/query/translate.hpp"

// Statistics: an aggregate over an expression whose values are bounded before any data is read.
namespace vernier::query {
namespace {

std::optional<Aggregate> aggregate_named(std::string_view name) {
  if (name == "count_star") return Aggregate::count_rows;
  if (name == "count") return Aggregate::count;
  if (name == "sum") return Aggregate::sum;
  return name == "avg" ? std::optional(Aggregate::average) : std::nullopt;
}

std::optional<std::string> problem_of(Aggregate aggregate, const Expression& x) {
  const std::string name(name_of(aggregate));
  if (aggregate == Aggregate::count) return std::nullopt;
  if (x.type() == Type::boolean) return name + " takes a number; write CASE WHEN condition THEN 1 ELSE 0 END";
  if (x.type() != Type::integer && x.type() != Type::real) {
    return name + " takes a number, and this is a " + std::string(name_of(x.type()));
  }
  if (!x.bounded()) {
    return name + " needs bounds; write " + name +
           "(CLAMP(x, lower, upper)) with numbers for the bounds, or let the steward declare lower and upper";
  }
  const auto* const span = std::get_if<IntegerSpan>(&x.span());
  if (span != nullptr && !is_narrow(*span)) {
    return "the values of " + name + " may not fit in 64 bits; write " + name + "(CLAMP(x, lower, upper))";
  }
  return std::nullopt;
}

}  // namespace

Read<std::optional<Aggregation>> read_aggregation(const Json& node, const Scope& scope) {
  if (text(node, "class") != "FUNCTION") return std::nullopt;
  if (const Read<void> known = check_shape(node); !known) return tl::unexpected(known.error());
  const auto aggregate = aggregate_named(text(node, "function_name"));
  if (!aggregate) return std::nullopt;
  if (const Read<void> plain = check_plain_call(node); !plain) return tl::unexpected(plain.error());
  const Json& children = list(node, "children");
  if (children.empty() && aggregate == Aggregate::count_rows) return Aggregation{*aggregate, std::nullopt, ""};
  if (children.size() != 1) return refuse(node, std::string(name_of(*aggregate)) + " takes one expression");
  const Read<Expression> argument = read_expression(children[0], scope);
  if (!argument) return tl::unexpected(argument.error());
  if (argument->operation() == Operation::null)
    return refuse(children[0], "a statistic of NULL is empty; name a column");
  if (const auto problem = problem_of(*aggregate, *argument)) return refuse(children[0], *problem);
  return Aggregation{*aggregate, *argument, ""};
}

}  // namespace vernier::query
