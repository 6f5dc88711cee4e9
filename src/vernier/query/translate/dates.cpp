#include <algorithm>
#include <array>
#include <charconv>

#include "vernier/core/text.hpp"
#include "vernier/query/expression/moment.hpp"
#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"

// Differences of dates in several units, and days before or after one that is written out.
namespace vernier::query {
namespace {

Result<Expression> times_and(const Expression& day, DatePart large, std::int64_t times, DatePart small) {
  VERNIER_TRY(const Expression years, date_part(large, day));
  VERNIER_TRY(const Expression whole, apply(Operation::multiply, {years, literal(times)}));
  VERNIER_TRY(const Expression rest, date_part(small, day));
  return apply(Operation::add, {whole, rest});
}

// Which week, month, quarter or year the day lies in, counted from some first one. 0001-01-01 is a Monday.
Result<Expression> unit_of(const Expression& day, std::string_view unit) {
  if (unit == "year") return date_part(DatePart::year, day);
  if (unit == "quarter") return times_and(day, DatePart::year, 4, DatePart::quarter);
  if (unit == "month") return times_and(day, DatePart::year, 12, DatePart::month);
  VERNIER_TRY(const Expression days, apply(Operation::days_between, {literal(*read_day("0001-01-01")), day}));
  return apply(Operation::divide_truncated, {days, literal(std::int64_t{7})});
}

// How many beginnings of such a unit lie behind the first date and not behind the last one, as databases count.
// Weeks begin with a Monday, which those that are counted in ticks from 1970 on do not.
Result<Expression> difference(const Expression& first, const Expression& last, std::string_view unit) {
  if (unit == "week" && (is_instant(first) || is_instant(last))) {
    VERNIER_TRY(const Expression first_day, cast(first, Type::date));
    VERNIER_TRY(const Expression last_day, cast(last, Type::date));
    return difference(first_day, last_day, unit);
  }
  if (const std::int64_t ticks = ticks_of_unit(unit); ticks > 0 && unit != "day" && unit != "week")
    return units_between(ticks, first, last);
  if (unit == "day") return apply(Operation::days_between, {first, last});
  VERNIER_TRY(const Expression before, unit_of(first, unit));
  VERNIER_TRY(const Expression behind, unit_of(last, unit));
  return apply(Operation::subtract, {behind, before});
}

std::optional<std::string_view> unit_named(std::string_view name) {
  constexpr std::array<std::string_view, 10> units{"day",  "week",   "month",  "quarter",     "year",
                                                   "hour", "minute", "second", "millisecond", "microsecond"};
  for (const std::string_view unit : units) {
    if (same_name(name, unit) || same_name(name, std::string(unit) + "s")) return unit;
  }
  return std::nullopt;
}

// A text, or a bare word.
std::string unit_written(const Json& node) {
  const bool is_text = text(node, "class") == "CONSTANT" && node.at("value").contains("value") &&
                       node.at("value").at("value").is_string();
  if (is_text) return node.at("value").at("value").get<std::string>();
  const bool is_name = text(node, "class") == "COLUMN_REF" && list(node, "column_names").size() == 1;
  return is_name ? list(node, "column_names")[0].get<std::string>() : "";
}

// ---- DATE '2020-01-31' - INTERVAL 30 DAY

struct Interval {
  std::int64_t days = 0;
  std::int64_t months = 0;
  std::int64_t ticks = 0;  // beside whole days
};

constexpr std::int64_t most_units = 1'000'000, most_small_units = 1'000'000'000'000;

std::optional<Interval> interval_of(std::string_view unit, std::int64_t count) {
  const std::int64_t ticks = unit == "day" ? 0 : ticks_of_unit(unit);
  if (std::abs(count) > (ticks > 0 && ticks <= ticks_of_second ? most_small_units : most_units)) return std::nullopt;
  if (ticks > 0) return Interval{0, 0, count * ticks};
  if (unit == "day") return Interval{count, 0};
  if (unit == "week") return Interval{7 * count, 0};
  if (unit == "month") return Interval{0, count};
  if (unit == "quarter") return Interval{0, 3 * count};
  if (unit == "year") return Interval{0, 12 * count};
  return std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The constant inside of the casts and the cutting off that the parser writes around it.
std::optional<std::int64_t> count_in(const Json& node) {
  const std::string& kind = text(node, "class");
  if (kind == "CAST") return count_in(node.at("child"));
  if (kind == "FUNCTION" && list(node, "children").size() == 1) {
    const std::string& name = text(node, "function_name");
    const std::optional<std::int64_t> inner = count_in(list(node, "children")[0]);
    if (name == "trunc") return inner;
    return name == "-" && inner ? std::optional(-*inner) : std::nullopt;
  }
  const Read<Expression> constant = kind == "CONSTANT" ? read_literal(node) : Read<Expression>(null_of(Type::integer));
  if (!constant || constant->operation() != Operation::literal) return std::nullopt;
  if (const auto* const whole = std::get_if<std::int64_t>(&constant->value())) return *whole;
  const auto* const written = std::get_if<std::string>(&constant->value());
  return written == nullptr ? std::nullopt : whole_number(*written);
}

// INTERVAL '90 days'.
std::optional<Interval> interval_written(const Json& node) {
  const std::string written = text(node, "class") == "CONSTANT" ? unit_written(node) : "";
  const std::size_t blank = written.find(' ');
  if (blank == std::string::npos) return std::nullopt;
  const std::optional<std::int64_t> count = whole_number(std::string_view(written).substr(0, blank));
  const std::optional<std::string_view> unit = unit_named(std::string_view(written).substr(blank + 1));
  return count && unit ? interval_of(*unit, *count) : std::nullopt;
}

bool is_cast_to_interval(const Json& node) {
  return text(node, "class") == "CAST" && text(node.at("cast_type"), "id") == "INTERVAL";
}

bool is_interval_call(const Json& node) {
  constexpr std::array<std::string_view, 10> calls{"to_days",         "to_weeks",       "to_months",  "to_quarters",
                                                   "to_years",        "to_hours",       "to_minutes", "to_seconds",
                                                   "to_milliseconds", "to_microseconds"};
  return text(node, "class") == "FUNCTION" && list(node, "children").size() == 1 &&
         std::find(calls.begin(), calls.end(), text(node, "function_name")) != calls.end();
}

std::optional<Interval> read_interval(const Json& node) {
  if (is_cast_to_interval(node)) return interval_written(node.at("child"));
  if (!is_interval_call(node)) return std::nullopt;
  const std::optional<std::int64_t> count = count_in(list(node, "children")[0]);
  const std::optional<std::string_view> unit = unit_named(std::string_view(text(node, "function_name")).substr(3));
  return count && unit ? interval_of(*unit, *count) : std::nullopt;
}

// Behind a month that is shorter, its last day.
std::optional<Day> moved(Day day, const Interval& by) {
  const std::string written = text_of(day);
  const std::int64_t month =
      std::int64_t{12} * std::stoll(written.substr(0, 4)) + std::stoll(written.substr(5, 2)) - 1 + by.months;
  if (month < 12 || month >= std::int64_t{12} * 10000) return std::nullopt;
  std::optional<Day> made;
  for (auto number = static_cast<unsigned>(std::stoul(written.substr(8, 2))); !made && number > 0; --number) {
    made = Day::of(static_cast<int>(month / 12), static_cast<unsigned>(month % 12 + 1), number);
  }
  const std::int64_t sum = made ? made->number + by.days : INT64_MIN;
  const Day first = *read_day("0001-01-01"), last = *read_day("9999-12-31");
  if (sum < first.number || sum > last.number) return std::nullopt;
  return Day{static_cast<std::int32_t>(sum)};
}

}  // namespace

bool is_interval(const Json& node) { return is_cast_to_interval(node) || is_interval_call(node); }

Read<Expression> read_interval_alone(const Json& node) {
  const std::optional<Interval> by = read_interval(node);
  if (by && by->months == 0) return located(elapsed_of(by->days * ticks_of_day + by->ticks), node);
  return refuse(node, "INTERVAL by itself takes a whole number of weeks, days, hours, minutes or seconds",
                "write INTERVAL '1 hour'");
}

namespace {

// A date, and days that are added to it.
struct Side {
  const Json* date;
  std::int64_t days = 0;
};

// A column with INTERVAL 3 DAY; a date that is written out is moved by itself.
std::optional<Side> moved_side(const Json& node) {
  if (text(node, "class") != "FUNCTION" || list(node, "children").size() != 2) return std::nullopt;
  const std::string& name = text(node, "function_name");
  const Json& children = list(node, "children");
  const bool is_last = (name == "+" || name == "-") && is_interval(children[1]);
  if (!is_last && !(name == "+" && is_interval(children[0]))) return std::nullopt;
  const Json& date = children[is_last ? 0 : 1];
  const std::optional<Interval> by = read_interval(children[is_last ? 1 : 0]);
  if (!by || by->months != 0 || by->ticks != 0 || !has_column(date)) return std::nullopt;
  return Side{&date, name == "-" ? -by->days : by->days};
}

}  // namespace

// a + 3 < b + 5 is a - b < 5 - 3.
std::optional<Read<Expression>> read_moved_comparison(const Json& node, Operation compare, const Scope& scope) {
  const std::optional<Side> left = moved_side(node.at("left")), right = moved_side(node.at("right"));
  if (!left && !right) return std::nullopt;
  const Side first = left.value_or(Side{&node.at("left")}), second = right.value_or(Side{&node.at("right")});
  const Read<std::vector<Expression>> dates = read_each({second.date, first.date}, scope);
  if (!dates) return tl::unexpected(dates.error());
  if (std::any_of(dates->begin(), dates->end(), is_instant)) return std::nullopt;
  return located(apply(Operation::days_between, *dates).and_then([&](const Expression& days) {
    return apply(compare, {days, literal(second.days - first.days)});
  }),
                 node);
}

Read<Expression> read_date_difference(const Json& node, const Scope& scope) {
  const Json& children = list(node, "children");
  if (children.size() != 3) return refuse(node, "write it as DATE_DIFF('day', first, last)");
  const std::optional<std::string_view> unit = unit_named(unit_written(children[0]));
  if (!unit) {
    return refuse(node, "differences of dates are counted in days, weeks, months, quarters or years",
                  "write DATE_DIFF('day', first, last)");
  }
  const Read<std::vector<Expression>> dates = read_each({&children[1], &children[2]}, scope);
  if (!dates) return tl::unexpected(dates.error());
  return located(difference(dates->front(), dates->back(), *unit), node);
}

namespace {

// ---- months before or behind a column

// The first day of a month, counted from 1970-01-01; months are counted from the March of year 0 on, so that a leap day
// is the last one of its year.
Result<Expression> days_before(const Expression& months) {
  const auto two = [](Operation operation, const Expression& x, std::int64_t y) {
    return apply(operation, {x, literal(y)});
  };
  VERNIER_TRY(const Expression years, two(Operation::divide_truncated, months, 12));
  VERNIER_TRY(const Expression rest, two(Operation::remainder, months, 12));
  VERNIER_TRY(Expression days, two(Operation::multiply, rest, 153));
  VERNIER_TRY(days, two(Operation::add, days, 2));
  VERNIER_TRY(days, two(Operation::divide_truncated, days, 5));
  VERNIER_TRY(const Expression whole_years, two(Operation::multiply, years, 365));
  VERNIER_TRY(days, apply(Operation::add, {days, whole_years}));
  for (const auto& [every, operation] :
       {std::pair(4, Operation::add), {100, Operation::subtract}, {400, Operation::add}}) {
    VERNIER_TRY(const Expression leap_days, two(Operation::divide_truncated, years, every));
    VERNIER_TRY(days, apply(operation, {days, leap_days}));
  }
  return two(Operation::subtract, days, 719'468);
}

// Behind a month that is shorter, its last day.
Result<Expression> months_later(const Expression& date, std::int64_t months) {
  VERNIER_TRY(const Expression before, times_and(date, DatePart::year, 12, DatePart::month));
  VERNIER_TRY(const Expression month, apply(Operation::add, {before, literal(months - 3)}));
  VERNIER_TRY(const Expression next, apply(Operation::add, {month, literal(std::int64_t{1})}));
  VERNIER_TRY(const Expression start, days_before(month));
  VERNIER_TRY(const Expression end, days_before(next));
  VERNIER_TRY(const Expression length, apply(Operation::subtract, {end, start}));
  VERNIER_TRY(const Expression number, date_part(DatePart::day, date));
  VERNIER_TRY(const Expression fits, apply(Operation::less_equal, {number, length}));
  VERNIER_TRY(const Expression day, apply(Operation::case_when, {fits, number, length}));
  VERNIER_TRY(const Expression last, apply(Operation::add, {start, day}));
  VERNIER_TRY(const Expression days, apply(Operation::subtract, {last, literal(std::int64_t{1})}));
  return apply(Operation::add_days, {literal(Day{0}), days});
}

Result<Expression> date_later(const Expression& date, const Interval& by) {
  Result<Expression> made = date;
  if (by.months != 0) made = months_later(*made, by.months);
  if (made && by.days != 0) made = apply(Operation::add_days, {*made, literal(by.days)});
  return made;
}

// Of a time its date moves by months, and all of it by the rest.
Result<Expression> later(const Expression& start, const Interval& by) {
  if (!is_instant(start) && by.ticks == 0) return date_later(start, by);
  VERNIER_TRY(Expression made, to_instant(start));
  if (by.months != 0) {
    VERNIER_TRY(const Expression date, cast(made, Type::date));
    VERNIER_TRY(const Expression moved_date, months_later(date, by.months));
    VERNIER_TRY(const Expression day, to_instant(moved_date));
    VERNIER_TRY(const Expression time, time_of_day(made));
    VERNIER_TRY(const Expression ticks, apply(Operation::add, {ticks_of(day), ticks_of(time)}));
    VERNIER_TRY(made, apply(Operation::instant, {ticks}));
  }
  VERNIER_TRY(const Expression rest, elapsed_of(by.days * ticks_of_day + by.ticks));
  return apply(Operation::add, {made, rest});
}

}  // namespace

Read<Expression> read_moved_date(const Json& node, const Json& date, const Json& interval, bool is_before,
                                 const Scope& scope) {
  const Read<Expression> start = read_expression(date, scope);
  if (!start) return start;
  std::optional<Interval> by = read_interval(interval);
  if (!by)
    return refuse(
        node,
        "INTERVAL takes a whole number of days, weeks, months, quarters or years, or of hours, minutes or seconds",
        "write INTERVAL 30 DAY");
  if (is_before) by = Interval{-by->days, -by->months, -by->ticks};
  if (is_elapsed(*start) && by->months == 0) {
    return located(elapsed_of(by->days * ticks_of_day + by->ticks).and_then([&](const Expression& more) {
      return apply(Operation::add, {*start, more});
    }),
                   node);
  }
  if (start->type() != Type::date && !is_instant(*start)) {
    return refuse(node, "INTERVAL stands beside a date or a time, and this is " + std::string(name_of(start->type())),
                  "write CAST(... AS DATE) or CAST(... AS TIMESTAMP) around a text");
  }
  const auto* const day = start->operation() == Operation::literal ? std::get_if<Day>(&start->value()) : nullptr;
  if (day == nullptr || by->ticks != 0) return located(later(*start, *by), node);
  const std::optional<Day> made = moved(*day, *by);
  if (!made) return refuse(node, "this day lies outside of the years 1 to 9999", "write a nearer one");
  return literal(*made);
}

// How many whole units went by from the first to the last.
Read<Expression> read_whole_units(const Json& node, const Scope& scope) {
  const Json& children = list(node, "children");
  const std::optional<std::string_view> unit =
      children.size() == 3 ? unit_named(unit_written(children[0])) : std::nullopt;
  const std::int64_t ticks = unit ? ticks_of_unit(*unit) : 0;
  if (ticks == 0) {
    return refuse(node, "whole units are counted in days, hours, minutes or seconds",
                  "write DATE_DIFF('month', first, last) for others");
  }
  const Read<std::vector<Expression>> ends = read_each({&children[1], &children[2]}, scope);
  if (!ends) return tl::unexpected(ends.error());
  const Result<Expression> first = to_instant(ends->front()), last = to_instant(ends->back());
  if (!first || !last) return located(first ? last : first, node);
  return located(apply(Operation::subtract, {ticks_of(*last), ticks_of(*first)}).and_then([&](const Expression& apart) {
    return apply(Operation::divide_truncated, {apart, literal(ticks)});
  }),
                 node);
}

// DATE_TRUNC('hour', time), and TIME_BUCKET(INTERVAL '15 minutes', time) of widths that divide a day.
Read<Expression> read_truncated_time(const Json& node, const Scope& scope) {
  const Json& children = list(node, "children");
  const std::string unit = children.size() == 2 ? unit_written(children[0]) : "";
  const std::optional<std::string_view> named = unit_named(unit);
  const std::optional<Interval> width = children.size() == 2 ? read_interval(children[0]) : std::nullopt;
  const std::int64_t ticks = named                         ? ticks_of_unit(*named)
                             : width && width->months == 0 ? width->days * ticks_of_day + width->ticks
                                                           : 0;
  if (ticks <= 0 || ticks_of_day % ticks != 0) return refuse(node, refused_function("date_trunc"));
  const Read<Expression> x = read_expression(children[1], scope);
  if (!x) return x;
  const Result<Expression> time = to_instant(*x);
  if (!time) return located(time, node);
  return located(truncated_to(ticks, *time), node);
}

// EXTRACT(hour FROM x), also of a date; none where it is a part that dates have.
std::optional<Read<Expression>> read_time_part(const Json& node, std::string_view part, const Expression& x) {
  if (part != "epoch" && (ticks_of_unit(part) == 0 || (part == "day" && !is_elapsed(x)))) return std::nullopt;
  const Result<Expression> moment = is_elapsed(x) ? Result<Expression>(x) : to_instant(x);
  if (!moment) return located(moment, node);
  const std::optional<Result<Expression>> made = time_part(part, *moment);
  return made ? std::optional(located(*made, node)) : std::nullopt;
}

}  // namespace vernier::query
