#include <algorithm>
#include <cmath>

#include "vernier/query/expression/node.hpp"
#include "vernier/query/expression/rounding.hpp"
#include "vernier/query/value.hpp"
#include "vernier/query/written_value.hpp"

// Casts, bounds, buckets and the parts of dates.
namespace vernier::query {
namespace {

constexpr double last_whole_real = 9223372036854774784.0;       // the greatest double below 2^63
constexpr std::int64_t greatest_width = std::int64_t{1} << 53;  // of a bucket

bool is_literal(const Expression& x) { return x.operation() == Operation::literal; }

bool is_text(const Expression& x, std::string_view text) {
  return is_literal(x) && x.type() == Type::string && std::get<std::string>(x.value()) == text;
}

Expression::Node cast_node(const Expression& x, Type type, Span span) {
  return {.operation = Operation::cast, .type = type, .span = span, .operands = {x}};
}

// A cast that always succeeds.
Result<Expression> certain(const Expression& x, Type type, Span span) {
  Expression::Node node = cast_node(x, type, span);
  node.nullable = x.nullable();
  node.bounded = x.bounded();
  return finished(std::move(node));
}

// A cast after which what does not fit is NULL.
Result<Expression> partial(const Expression& x, Type type, Span span, bool bounded) {
  Expression::Node node = cast_node(x, type, span);
  node.bounded = bounded;
  return finished(std::move(node));
}

// The nearest, where that has 64 bits.
Result<Expression> real_to_integer(const Expression& x) {
  const RealSpan span = reals(x);
  const auto whole = [](double end) {
    return static_cast<Int128>(nearest(std::clamp(end, -last_whole_real, last_whole_real)));
  };
  const IntegerSpan result{whole(span.lower), whole(span.upper)};
  const bool fits = span.lower >= -last_whole_real && span.upper <= last_whole_real;
  return fits ? certain(x, Type::integer, result) : partial(x, Type::integer, result, x.bounded());
}

Result<Expression> integer_to_integer(const Expression& x) {
  if (is_narrow(integers(x))) return x;
  const IntegerSpan span{std::max(integers(x).lower, any_integer.lower),
                         std::min(integers(x).upper, any_integer.upper)};
  return partial(x, Type::integer, span, x.bounded());
}

Result<Expression> to_integer(const Expression& x) {
  switch (x.type()) {
    case Type::boolean:
      return certain(x, Type::integer, IntegerSpan{0, 1});
    case Type::integer:
      return integer_to_integer(x);
    case Type::real:
      return real_to_integer(x);
    case Type::string:
      return partial(x, Type::integer, any_integer, false);
    case Type::date:
      break;
  }
  return invalid("a date is no integer", "take a part of it, such as EXTRACT(year FROM day)");
}

Result<Expression> to_real_type(const Expression& x) {
  if (x.type() == Type::real) return x;
  if (is_literal(x) && x.type() == Type::integer)
    return literal(static_cast<double>(std::get<std::int64_t>(x.value())));
  if (x.type() == Type::integer) return certain(x, Type::real, to_real(integers(x)));
  if (x.type() == Type::boolean) return certain(x, Type::real, RealSpan{0, 1});
  if (x.type() == Type::string) return partial(x, Type::real, any_real, false);
  return invalid("a date is no real", "take a part of it, such as EXTRACT(year FROM day)");
}

// Reals are never printed: engines differ in their digits.
Result<Expression> to_string_type(const Expression& x) {
  if (x.type() == Type::string) return x;
  if (x.type() == Type::real)
    return invalid("a real cannot become a string", "write CAST(... AS INTEGER) around it first");
  return certain(x, Type::string, std::monostate{});
}

Result<Expression> to_boolean(const Expression& x) {
  if (x.type() == Type::boolean) return x;
  if (x.type() == Type::integer) return certain(x, Type::boolean, std::monostate{});
  if (is_text(x, "t") || is_text(x, "true")) return literal(true);
  if (is_text(x, "f") || is_text(x, "false")) return literal(false);
  if (x.type() == Type::string) return partial(x, Type::boolean, std::monostate{}, true);
  return invalid(a(x.type()) + " cannot become a boolean", "write a comparison such as x > 0");
}

Result<Expression> to_date(const Expression& x) {
  if (x.type() == Type::date) return x;
  if (is_literal(x) && x.type() == Type::string) {
    const std::optional<Day> day = written_day(std::get<std::string>(x.value()));
    if (!day) return invalid("a day is written as DATE '2020-02-29'");
    return literal(*day);
  }
  if (x.type() == Type::string) return partial(x, Type::date, any_day, false);
  return invalid(a(x.type()) + " cannot become a date");
}

bool all_literal(const std::vector<Expression>& operands) {
  return std::all_of(operands.begin() + 1, operands.end(), is_literal);
}

bool has_order(Type type) { return is_number(type) || type == Type::date; }

Span between_ends(const Expression& lower, const Expression& upper) { return hull(lower.span(), upper.span()); }

bool lies_within(const Span& inner, const Span& outer) { return hull(inner, outer) == outer; }

Result<Expression> integer_bucket(std::vector<Expression> operands, std::int64_t width) {
  const Expression value = operands.front();
  const IntegerSpan span = integers(value);
  const auto start = [&](Int128 x) { return x - ((x % width + width) % width); };
  const IntegerSpan result{start(span.lower), start(span.upper)};
  if (result.lower < -greatest_integer()) return invalid("the buckets reach beyond 38 digits", "CLAMP the value first");
  return finished({.operation = Operation::bucket,
                   .type = Type::integer,
                   .span = result,
                   .nullable = value.nullable(),
                   .bounded = value.bounded(),
                   .operands = std::move(operands)});
}

Result<Expression> real_bucket(std::vector<Expression> operands, double width) {
  const RealSpan span = reals(operands.front());
  if (!is_within_reals(span)) return invalid("BUCKET takes reals between -1e150 and 1e150", "CLAMP the value first");
  const auto start = [&](double x) { return bucket_start(x, width); };
  const RealSpan result{start(flushed(span).lower), start(flushed(span).upper)};
  Expression::Node node{.operation = Operation::bucket, .type = Type::real, .span = result};
  node.guarded = !is_within_reals(result);
  if (node.guarded) node.span = any_real;
  node.nullable = node.guarded || operands.front().nullable();
  node.bounded = !node.guarded && operands.front().bounded();
  node.operands = std::move(operands);
  return finished(std::move(node));
}

IntegerSpan span_of(DatePart part, DaySpan days) {
  switch (part) {
    case DatePart::year:
      return {year_of(days.lower), year_of(days.upper)};
    case DatePart::quarter:
      return {1, 4};
    case DatePart::month:
      return {1, 12};
    case DatePart::week:
      return {1, 53};
    case DatePart::day:
      return {1, 31};
    case DatePart::day_of_week:
      return {0, 6};
    case DatePart::iso_day_of_week:
      return {1, 7};
    case DatePart::day_of_year:
      break;
  }
  return {1, 366};
}

}  // namespace

Result<Expression> cast(const Expression& x, Type type) {
  if (is_null_literal(x)) return invalid("a cast of NULL is NULL", "write NULL alone");
  if (is_moment(x)) return cast_of_moment(x, type);
  switch (type) {
    case Type::boolean:
      return to_boolean(x);
    case Type::integer:
      return to_integer(x);
    case Type::real:
      return to_real_type(x);
    case Type::string:
      return to_string_type(x);
    case Type::date:
      break;
  }
  return to_date(x);
}

Result<Expression> date_part(DatePart part, const Expression& x) {
  if (is_moment(x)) {
    VERNIER_TRY(const Expression day, cast_of_moment(x, Type::date));
    return date_part(part, day);
  }
  if (x.type() != Type::date || is_null_literal(x)) {
    return invalid(std::string(name_of(part)) + " is a part of a date, and this is " + a(x.type()));
  }
  return finished({.operation = Operation::date_part,
                   .type = Type::integer,
                   .span = span_of(part, std::get<DaySpan>(x.span())),
                   .nullable = x.nullable(),
                   .operands = {x},
                   .detail = part});
}

Result<Expression> clamped(std::vector<Expression> operands) {
  if (is_null_literal(operands.front())) return invalid("CLAMP of NULL is NULL", "write NULL alone");
  if (!all_literal(operands)) return invalid("the bounds of CLAMP must be numbers or days, as in CLAMP(x, 0, 100)");
  VERNIER_TRY(std::vector<Expression> same, unified(std::move(operands)));
  const Type type = same.front().type();
  if (!has_order(type)) return invalid("CLAMP takes a number or a date, and this is " + a(type));
  if (same[2].value() < same[1].value()) return invalid("the bounds of CLAMP are upside down", "the lower comes first");
  const Span ends = between_ends(same[1], same[2]);
  if (same.front().bounded() && lies_within(same.front().span(), ends)) return same.front();
  return finished({.operation = Operation::clamp,
                   .type = type,
                   .span = ends,
                   .nullable = same.front().nullable(),
                   .operands = std::move(same)});
}

Result<Expression> bucketed(std::vector<Expression> operands) {
  if (is_null_literal(operands.front()) || !is_number(operands.front().type())) {
    return invalid("BUCKET takes a number, as in BUCKET(age, 10)");
  }
  if (!all_literal(operands) || !is_number(operands.back().type())) {
    return invalid("the width of a bucket must be a number, as in BUCKET(age, 10)");
  }
  const Value width = operands.back().value();
  if (const auto* const whole = std::get_if<std::int64_t>(&width)) {
    if (*whole < 1 || *whole > greatest_width)
      return invalid("the width of a bucket must be positive and at most 2^53");
    if (operands.front().type() == Type::integer) return integer_bucket(std::move(operands), *whole);
  }
  const Result<Expression> x = cast(operands.front(), Type::real);
  const Result<Expression> step = cast(operands.back(), Type::real);
  if (!x || !step) return x ? step : x;
  const double size = std::get<double>(step->value());
  if (!(size >= 0x1p-53 && size <= 0x1p53)) return invalid("the width of a bucket must be between 2^-53 and 2^53");
  return real_bucket({*x, *step}, size);
}

}  // namespace vernier::query
