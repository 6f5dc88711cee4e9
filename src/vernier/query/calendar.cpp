#include <algorithm>
#include <array>

#include "vernier/query/series.hpp"

namespace vernier::query {
namespace {

constexpr std::array<std::string_view, 3> lengths = {"day", "week", "month"};
constexpr std::array<std::string_view, 3> kinds = {"each", "last", "cumulative"};

std::int64_t month_of(Day day) { return std::stoll(text_of(day).substr(5, 2)); }

// Months since the year 0.
std::int64_t months(Day day) { return std::int64_t{12} * year_of(day) + month_of(day) - 1; }

Day first_of_month(std::int64_t months) {
  const auto day = Day::of(static_cast<int>(months / 12), static_cast<unsigned>(months % 12 + 1), 1);
  return day.value_or(last_day);
}

}  // namespace

std::string_view name_of(StepLength length) { return lengths[static_cast<std::size_t>(length)]; }
std::string_view name_of(SeriesKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

std::int64_t Calendar::steps() const { return step_of(end).value_or(-1) + 1; }

std::optional<std::int64_t> Calendar::step_of(Day day) const {
  if (day < start || day > end) return std::nullopt;
  if (length == StepLength::month) return months(day) - months(start);
  const std::int64_t days = std::int64_t{day.number} - start.number;
  return length == StepLength::week ? days / 7 : days;
}

Day Calendar::first_day(std::int64_t step) const {
  if (length == StepLength::month) return step == 0 ? start : first_of_month(months(start) + step);
  return {static_cast<std::int32_t>(start.number + step * (length == StepLength::week ? 7 : 1))};
}

Day Calendar::last_day(std::int64_t step) const {
  const Day next = first_day(step + 1);
  return std::min(Day{next.number - 1}, end);
}

}  // namespace vernier::query
