#include "vernier/query/expression/real_function.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/query/expression/node.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

constexpr double largest_power = 345;  // e^345 is below 1e150, and e^-345 above 1e-150

// Engines are right to some units in the last place, and 2^-40 is 4096 of them.
RealSpan with_room(RealSpan span) {
  constexpr double room = 0x1p-40;
  return {span.lower - room * (1 + std::abs(span.lower)), span.upper + room * (1 + std::abs(span.upper))};
}

// The least number of which there is a logarithm.
double logarithm_end(Operation operation, double x) {
  const double positive = std::clamp(x, least_real, greatest_real);
  return operation == Operation::logarithm ? std::log(positive) : std::log10(positive);
}

RealSpan span_of(Operation operation, RealSpan x) {
  switch (operation) {
    case Operation::square_root:
      return {std::sqrt(std::max(x.lower, 0.0)), std::sqrt(std::max(x.upper, 0.0))};
    case Operation::exponential:
      return with_room({std::exp(std::clamp(x.lower, -largest_power - 1, largest_power)),
                        std::exp(std::clamp(x.upper, -largest_power - 1, largest_power))});
    case Operation::sine:
    case Operation::cosine:
      return with_room({-1, 1});
    default:
      return with_room({logarithm_end(operation, x.lower), logarithm_end(operation, x.upper)});
  }
}

bool may_have_none(Operation operation, RealSpan x) {
  if (operation == Operation::square_root) return x.lower < 0;
  if (operation == Operation::exponential) return x.upper > largest_power;
  return (operation == Operation::logarithm || operation == Operation::logarithm_ten) && x.lower <= least_real;
}

std::string name_of(Operation operation) {
  switch (operation) {
    case Operation::square_root:
      return "sqrt";
    case Operation::logarithm:
      return "ln";
    case Operation::logarithm_ten:
      return "log10";
    case Operation::exponential:
      return "exp";
    case Operation::sine:
      return "sin";
    default:
      return "cos";
  }
}

}  // namespace

Result<Expression> of_real(Operation operation, const Expression& x) {
  if (is_null_literal(x) || !is_number(x.type())) {
    return invalid("a number is needed here, and this is " + a(x.type()));
  }
  VERNIER_TRY(const Expression real, cast(x, Type::real));
  const RealSpan span = reals(real);
  if (!is_within_reals(span)) {
    return invalid("functions take reals between -1e150 and 1e150, and this has a larger number",
                   "write CLAMP(x, -1e150, 1e150) around it");
  }
  const bool is_turned = operation == Operation::sine || operation == Operation::cosine;
  RealSpan result = span_of(operation, flushed(span));
  if (operation == Operation::exponential)
    result.lower = std::min(result.lower, span.lower < -largest_power ? 0 : result.lower);
  return finished({.operation = operation,
                   .type = Type::real,
                   .span = result,
                   .nullable = real.nullable() || may_have_none(operation, span),
                   .bounded = is_turned || real.bounded(),
                   .operands = {real}});
}

// Constants are cast before CASE decides, on PostgreSQL, unless what decides is constant too.
std::string later_day(const Expression& x, const std::string& date, const std::string& days, const Dialect& in) {
  constexpr std::int64_t most_days = 4'000'000;  // more than the years 1 to 9999 have
  const std::string type(in.type(Type::date));
  const DaySpan from = std::get<DaySpan>(x.operands()[0].span());
  const IntegerSpan by = integers(x.operands()[1]);
  const bool is_small = by.lower >= -most_days && by.upper <= most_days;
  const std::string small =
      is_small ? days : when(days + " BETWEEN " + in.constant(-most_days) + " AND " + in.constant(most_days), days);
  const std::string sum = cast_to(type, date + " + CAST(" + small + " AS INTEGER) * INTERVAL '1' DAY");
  if (from.lower.number + by.lower >= first_day.number && from.upper.number + by.upper <= last_day.number) return sum;
  const std::string number = in.day_number(date);
  return when(days + " BETWEEN " + in.constant(std::int64_t{first_day.number}) + " - " + number + " AND " +
                  in.constant(std::int64_t{last_day.number}) + " - " + number,
              sum);
}

std::string real_function(Operation operation, const std::string& x, const Dialect& in) {
  const std::string value = name_of(operation) + "(" + x + ")", zero = in.constant(0.0);
  switch (operation) {
    case Operation::square_root:
      return when(x + " >= " + zero, value);
    case Operation::logarithm:
    case Operation::logarithm_ten:
      return when(x + " > " + zero, value);
    case Operation::exponential:
      return "CASE WHEN " + x + " < " + in.constant(-largest_power) + " THEN " + zero + " WHEN " + x +
             " <= " + in.constant(largest_power) + " THEN " + value + " END";
    default:
      return value;
  }
}

}  // namespace vernier::query
