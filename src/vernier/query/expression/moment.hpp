#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vernier/query/expression/expression.hpp"

// Times. One is a whole number of microseconds from 1970-01-01 00:00:00 on, as the clocks of its table showed it, under
// an operation that says so; a time that went by is such a number under another one. All that is done with times is
// done with these numbers, by the operations that whole numbers have (moment.md).
namespace vernier::query {

inline constexpr std::int64_t ticks_of_second = 1'000'000;
inline constexpr std::int64_t ticks_of_day = 86'400 * ticks_of_second;

// 2020-02-29, 2020-02-29 23:59, 2020-02-29T23:59:59.5, or one of these with Z behind it; none where it is none.
std::optional<std::int64_t> read_instant(std::string_view text);

// 23:59, 23:59:59.5: from midnight on.
std::optional<std::int64_t> read_time_of_day(std::string_view text);

// 2020-02-29 23:59:59, with six digits behind the point where it is no whole second.
std::string text_of_instant(std::int64_t ticks);

bool is_instant(const Expression& x);
bool is_elapsed(const Expression& x);

// The number of microseconds.
Expression ticks_of(const Expression& moment);

// A time of a text, a literal or not, of a date, or of itself.
Result<Expression> to_instant(const Expression& x);
Result<Expression> time_of_day(const Expression& instant);
Result<Expression> elapsed_of(std::int64_t ticks);

// What fixed units there are: microsecond, millisecond, second, minute, hour and day; 0 for others.
std::int64_t ticks_of_unit(std::string_view unit);

// EXTRACT(hour FROM x), of a time or one that went by; epoch is the number of seconds. None where there is no such
// part.
std::optional<Result<Expression>> time_part(std::string_view part, const Expression& x);

// The beginning of the unit in which the time lies.
Result<Expression> truncated_to(std::int64_t unit, const Expression& instant);

// How many beginnings of the unit lie behind the first time and not behind the last one.
Result<Expression> units_between(std::int64_t unit, const Expression& first, const Expression& last);

}  // namespace vernier::query
