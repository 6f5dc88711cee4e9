#include "vernier/query/expression/moment.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "vernier/query/expression/node.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

Expression whole(std::int64_t number) { return literal(number); }

// ---- texts

std::optional<std::int64_t> two_digits(std::string_view text, std::size_t at, std::int64_t greatest) {
  if (text.size() < at + 2) return std::nullopt;
  std::int64_t number = 0;
  for (const char c : text.substr(at, 2)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return number <= greatest ? std::optional(number) : std::nullopt;
}

// .5 and up to nine digits, of which six count.
std::optional<std::int64_t> fraction(std::string_view text) {
  if (text.size() < 2 || text.size() > 10 || text.front() != '.') return std::nullopt;
  std::int64_t number = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    if (i <= 6) number = 10 * number + (text[i] - '0');
  }
  for (std::size_t i = text.size(); i <= 6; ++i) number *= 10;
  return number;
}

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

// ---- arithmetic of microseconds

Result<Expression> apply_two(Operation operation, const Expression& x, const Expression& y) {
  return apply(operation, {x, y});
}

// x modulo the unit, from 0 on, whatever the sign of x.
Result<Expression> within_unit(const Expression& x, std::int64_t unit) {
  VERNIER_TRY(const Expression rest, apply_two(Operation::remainder, x, whole(unit)));
  if (integers(x).lower >= 0) return rest;
  VERNIER_TRY(const Expression above, apply_two(Operation::add, rest, whole(unit)));
  return apply_two(Operation::remainder, above, whole(unit));
}

// How many whole units there are in it, downward.
Result<Expression> units_in(const Expression& x, std::int64_t unit) {
  if (integers(x).lower >= 0) return apply_two(Operation::divide_truncated, x, whole(unit));
  VERNIER_TRY(const Expression start, apply_two(Operation::bucket, x, whole(unit)));
  return apply_two(Operation::divide_truncated, start, whole(unit));
}

Result<Expression> marked(Operation operation, const Result<Expression>& ticks) {
  if (!ticks) return ticks;
  return as_moment(operation, *ticks);
}

Result<Expression> date_of(const Expression& instant) {
  VERNIER_TRY(const Expression days, units_in(ticks_of(instant), ticks_of_day));
  return apply_two(Operation::add_days, literal(Day{0}), days);
}

Result<Expression> instant_of_date(const Expression& date) {
  VERNIER_TRY(const Expression days, apply_two(Operation::days_between, literal(Day{0}), date));
  return marked(Operation::instant, apply_two(Operation::multiply, days, whole(ticks_of_day)));
}

// Two digits of a number below 100.
Result<Expression> digits_of(const Expression& number) {
  VERNIER_TRY(const Expression three, apply_two(Operation::add, number, whole(100)));
  VERNIER_TRY(const Expression text, cast(three, Type::string));
  return apply(Operation::text_part, {text, whole(2), whole(2)});
}

// Whether it has whole seconds alone, as what DATE_TRUNC makes.
bool has_whole_seconds(const Expression& ticks) {
  if (ticks.operation() == Operation::multiply || ticks.operation() == Operation::bucket) {
    const Expression& unit = ticks.operands().back();
    const auto* const size =
        unit.operation() == Operation::literal ? std::get_if<std::int64_t>(&unit.value()) : nullptr;
    return size != nullptr && *size % ticks_of_second == 0;
  }
  return ticks.operation() == Operation::clamp && has_whole_seconds(ticks.operands().front());
}

Result<Expression> behind_the_point(const Expression& ticks) {
  VERNIER_TRY(const Expression rest, within_unit(ticks, ticks_of_second));
  VERNIER_TRY(const Expression seven, apply_two(Operation::add, rest, whole(ticks_of_second)));
  VERNIER_TRY(const Expression text, cast(seven, Type::string));
  VERNIER_TRY(const Expression digits, apply(Operation::text_part, {text, whole(2), whole(6)}));
  VERNIER_TRY(const Expression shown, apply_two(Operation::concatenate, literal(std::string(".")), digits));
  VERNIER_TRY(const Expression is_whole, apply_two(Operation::equal, rest, whole(0)));
  return apply(Operation::case_when, {is_whole, literal(std::string()), shown});
}

Result<Expression> text_of(const Expression& instant) {
  const Expression ticks = ticks_of(instant);
  VERNIER_TRY(const Expression date, date_of(instant));
  VERNIER_TRY(Expression made, cast(date, Type::string));
  for (const auto& [mark, part] : {std::pair(" ", "hour"), {":", "minute"}, {":", "second"}}) {
    VERNIER_TRY(const Expression number, *time_part(part, instant));
    VERNIER_TRY(const Expression digits, digits_of(number));
    VERNIER_TRY(made, apply_two(Operation::concatenate, made, literal(std::string(mark))));
    VERNIER_TRY(made, apply_two(Operation::concatenate, made, digits));
  }
  if (has_whole_seconds(ticks)) return made;
  VERNIER_TRY(const Expression rest, behind_the_point(ticks));
  return apply_two(Operation::concatenate, made, rest);
}

// ---- operands of one kind

const std::string* text_in(const Expression& x) {
  return x.operation() == Operation::literal ? std::get_if<std::string>(&x.value()) : nullptr;
}

bool is_within_a_day(const Expression& x) {
  return is_instant(x) && integers(x).lower >= 0 && integers(x).upper < ticks_of_day;
}

// As a time beside others. A time of the day alone stands beside such.
Result<Expression> beside_instants(const Expression& x, bool are_of_day) {
  if (is_null_literal(x)) return null_of(Type::integer);
  const std::string* const text = text_in(x);
  const std::optional<std::int64_t> of_day = text != nullptr && are_of_day ? read_time_of_day(*text) : std::nullopt;
  if (of_day) return as_moment(Operation::instant, whole(*of_day));
  return to_instant(x);
}

Result<std::vector<Expression>> of_one_kind(std::vector<Expression> operands) {
  const bool are_instants = std::any_of(operands.begin(), operands.end(), is_instant);
  const bool are_of_day = std::any_of(operands.begin(), operands.end(), is_within_a_day);
  for (Expression& x : operands) {
    if (are_instants) {
      VERNIER_TRY(x, beside_instants(x, are_of_day));
    } else if (!is_elapsed(x) && !is_null_literal(x)) {
      return invalid("a time that went by stands beside another one, and this is " + a(x.type()),
                     "write it as INTERVAL '1 hour'");
    }
    if (is_moment(x)) x = ticks_of(x);
  }
  return operands;
}

bool is_value_of_case(std::size_t place, std::size_t size) { return place % 2 == 1 || place + 1 == size; }

Result<Expression> chosen(Operation operation, std::vector<Expression> operands, Operation kind) {
  std::vector<Expression> values;
  const bool is_case = operation == Operation::case_when;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!is_case || is_value_of_case(i, operands.size())) values.push_back(operands[i]);
  }
  if (std::none_of(values.begin(), values.end(), is_moment))
    return invalid("a condition is needed here, and this is a time");
  VERNIER_TRY(values, of_one_kind(std::move(values)));
  std::size_t next = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!is_case || is_value_of_case(i, operands.size())) operands[i] = values[next++];
  }
  return marked(kind, apply(operation, std::move(operands)));
}

// A time and one that went by, or two of these.
Result<Expression> summed(Operation operation, std::vector<Expression> operands) {
  const bool is_sum = operation == Operation::add;
  if (is_sum && is_elapsed(operands[0]) && !is_elapsed(operands[1])) std::swap(operands[0], operands[1]);
  const bool is_moved = is_elapsed(operands[1]);
  if (!is_moved || !is_elapsed(operands[0])) {
    VERNIER_TRY(operands[0], to_instant(operands[0]));
  }
  if (!is_moved) {
    if (is_sum) return invalid("two times have no sum", "write INTERVAL '1 hour' for a time that goes by");
    VERNIER_TRY(operands[1], to_instant(operands[1]));
  }
  const Operation kind = is_moved && is_instant(operands[0]) ? Operation::instant : Operation::elapsed;
  return marked(kind, apply(operation, {ticks_of(operands[0]), ticks_of(operands[1])}));
}

Failure no_number() {
  return invalid("a time is no number",
                 "take a part of it, such as EXTRACT(hour FROM time), or the difference of two in a unit, "
                 "DATE_DIFF('minute', first, last)");
}

}  // namespace

std::optional<std::int64_t> read_time_of_day(std::string_view text) {
  const auto hours = two_digits(text, 0, 23), minutes = two_digits(text, 3, 59);
  if (!hours || !minutes || text[2] != ':') return std::nullopt;
  const std::int64_t start = (*hours * 60 + *minutes) * 60 * ticks_of_second;
  if (text.size() == 5) return start;
  const auto seconds = two_digits(text, 6, 59);
  if (!seconds || text[5] != ':') return std::nullopt;
  const std::optional<std::int64_t> rest = text.size() == 8 ? 0 : fraction(text.substr(8));
  return rest ? std::optional(start + *seconds * ticks_of_second + *rest) : std::nullopt;
}

std::optional<std::int64_t> read_instant(std::string_view text) {
  const std::optional<Day> day = read_day(text.substr(0, 10));
  if (!day) return std::nullopt;
  const std::int64_t start = day->number * ticks_of_day;
  if (text.size() == 10) return start;
  if (text[10] != ' ' && text[10] != 'T') return std::nullopt;
  text.remove_prefix(11);
  if (text.ends_with('Z')) text.remove_suffix(1);
  const std::optional<std::int64_t> time = read_time_of_day(text);
  return time ? std::optional(start + *time) : std::nullopt;
}

std::string text_of_instant(std::int64_t ticks) {
  const std::int64_t rest = ((ticks % ticks_of_day) + ticks_of_day) % ticks_of_day, seconds = rest / ticks_of_second;
  std::string text = query::text_of(Day{static_cast<std::int32_t>((ticks - rest) / ticks_of_day)}) + " " +
                     padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2);
  if (rest % ticks_of_second != 0) text += "." + padded(rest % ticks_of_second, 6);
  return text;
}

bool is_instant(const Expression& x) { return x.operation() == Operation::instant; }
bool is_elapsed(const Expression& x) { return x.operation() == Operation::elapsed; }
bool is_moment(const Expression& x) { return is_instant(x) || is_elapsed(x); }
Expression ticks_of(const Expression& moment) { return moment.operands().front(); }

namespace {

Result<Expression> ticks_of_text(const Expression& x) {
  if (x.type() != Type::string || is_null_literal(x)) {
    return invalid("a text is needed here, and this is " + a(x.type()));
  }
  if (text_in(x) != nullptr) return invalid("a text that is written out is read as a time once and for all rows");
  constexpr std::int64_t first = first_day.number * ticks_of_day, last = (last_day.number + 1) * ticks_of_day - 1;
  return finished({.operation = Operation::read_instant,
                   .type = Type::integer,
                   .span = IntegerSpan{first, last},
                   .bounded = false,
                   .operands = {x}});
}

}  // namespace

Result<Expression> as_moment(Operation operation, const Expression& x) {
  if (operation == Operation::read_instant) return ticks_of_text(x);
  if (x.type() != Type::integer || is_moment(x) || is_null_literal(x)) {
    return invalid("a whole number of microseconds is needed here, and this is " + a(x.type()));
  }
  VERNIER_TRY(const Expression ticks, cast(x, Type::integer));
  return finished({.operation = operation,
                   .type = Type::integer,
                   .span = ticks.span(),
                   .nullable = ticks.nullable(),
                   .bounded = ticks.bounded(),
                   .operands = {ticks}});
}

Result<Expression> to_instant(const Expression& x) {
  if (is_instant(x)) return x;
  if (x.type() == Type::date && !is_null_literal(x)) return instant_of_date(x);
  if (const std::string* const text = text_in(x)) {
    const std::optional<std::int64_t> ticks = read_instant(*text);
    if (ticks) return as_moment(Operation::instant, whole(*ticks));
    return invalid("a time is written as '2020-02-29 23:59:59' or '2020-02-29'");
  }
  if (x.type() == Type::string && !is_null_literal(x)) return marked(Operation::instant, ticks_of_text(x));
  return invalid((is_elapsed(x) ? "a time that went by" : a(x.type())) + " is no time",
                 "write TIMESTAMP '2020-02-29 23:59:59', or CAST(... AS TIMESTAMP) around a text");
}

Result<Expression> time_of_day(const Expression& instant) {
  if (is_within_a_day(instant)) return instant;
  return marked(Operation::instant, within_unit(ticks_of(instant), ticks_of_day));
}

Result<Expression> elapsed_of(std::int64_t ticks) { return as_moment(Operation::elapsed, whole(ticks)); }

std::int64_t ticks_of_unit(std::string_view unit) {
  constexpr auto units = std::to_array<std::pair<std::string_view, std::int64_t>>({{"microsecond", 1},
                                                                                   {"millisecond", 1000},
                                                                                   {"second", ticks_of_second},
                                                                                   {"minute", 60 * ticks_of_second},
                                                                                   {"hour", 3600 * ticks_of_second},
                                                                                   {"day", ticks_of_day}});
  const auto found = std::find_if(units.begin(), units.end(), [&](const auto& one) { return one.first == unit; });
  return found == units.end() ? 0 : found->second;
}

std::optional<Result<Expression>> time_part(std::string_view part, const Expression& x) {
  const Expression ticks = ticks_of(x);
  if (part == "epoch") {
    const Result<Expression> real = cast(ticks, Type::real);
    return real ? apply_two(Operation::divide, *real, literal(1e6)) : real;
  }
  if (part == "day" && is_elapsed(x)) return apply_two(Operation::divide_truncated, ticks, whole(ticks_of_day));
  const std::int64_t unit = ticks_of_unit(part);
  if (unit == 0 || unit >= ticks_of_day) return std::nullopt;
  const std::int64_t around = part == "hour"     ? ticks_of_day
                              : part == "minute" ? ticks_of_unit("hour")
                                                 : ticks_of_unit("minute");
  // What went by has the sign of its parts.
  const Result<Expression> rest =
      is_elapsed(x) ? apply_two(Operation::remainder, ticks, whole(around)) : within_unit(ticks, around);
  return rest ? apply_two(Operation::divide_truncated, *rest, whole(unit)) : rest;
}

Result<Expression> truncated_to(std::int64_t unit, const Expression& instant) {
  return marked(Operation::instant, apply_two(Operation::bucket, ticks_of(instant), whole(unit)));
}

Result<Expression> units_between(std::int64_t unit, const Expression& first, const Expression& last) {
  VERNIER_TRY(const Expression one, to_instant(first));
  VERNIER_TRY(const Expression other, to_instant(last));
  VERNIER_TRY(const Expression before, units_in(ticks_of(one), unit));
  VERNIER_TRY(const Expression behind, units_in(ticks_of(other), unit));
  return apply_two(Operation::subtract, behind, before);
}

Result<Expression> cast_of_moment(const Expression& x, Type type) {
  if (is_instant(x) && type == Type::date) return date_of(x);
  if (is_instant(x) && type == Type::string) return text_of(x);
  return no_number();
}

Result<Expression> of_moments(Operation operation, std::vector<Expression> operands) {
  const auto first = std::find_if(operands.begin(), operands.end(), is_moment);
  const Operation kind =
      std::any_of(operands.begin(), operands.end(), is_instant) ? Operation::instant : first->operation();
  switch (operation) {
    case Operation::equal:
    case Operation::not_equal:
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::between:
    case Operation::in: {
      VERNIER_TRY(std::vector<Expression> ticks, of_one_kind(std::move(operands)));
      return apply(operation, std::move(ticks));
    }
    case Operation::case_when:
    case Operation::coalesce:
    case Operation::null_if:
    case Operation::clamp:
      return chosen(operation, std::move(operands), kind);
    case Operation::is_null:
    case Operation::is_clamped:
      return apply(operation, {ticks_of(operands.front())});
    case Operation::add:
    case Operation::subtract:
      return summed(operation, std::move(operands));
    case Operation::negate:
    case Operation::absolute:
      if (kind == Operation::elapsed) return marked(kind, apply(operation, {ticks_of(operands.front())}));
      return no_number();
    case Operation::days_between: {
      for (Expression& x : operands) {
        if (is_instant(x)) {
          VERNIER_TRY(x, date_of(x));
        }
      }
      return apply(operation, std::move(operands));
    }
    default:
      return no_number();
  }
}

}  // namespace vernier::query
