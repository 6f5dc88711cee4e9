#include "vernier/plan/bounds_days.hpp"

#include <algorithm>
#include <array>

#include "vernier/query/calendar.hpp"

namespace vernier::plan {
namespace {

using query::Day;

constexpr int most_steps = 50;
constexpr std::array months_of_steps{1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000};
constexpr int months = 12;

Day first_of_year(int year) { return *Day::of(year, 1, 1); }

Day first_of_month(int count) { return *Day::of(count / months, static_cast<unsigned>(count % months) + 1, 1); }

// Five years where dates are likely, and further steps outside. From 9000 on stand the dates that mean "never".
std::vector<Day> likely_years() {
  std::vector<Day> days{query::first_day};
  for (const int year : {1000, 1500, 1700, 1800, 1850}) days.push_back(first_of_year(year));
  for (int year = 1900; year <= 2100; year += 5) days.push_back(first_of_year(year));
  for (const int year : {2200, 2500, 3000, 9000}) days.push_back(first_of_year(year));
  days.push_back(query::last_day);
  return days;
}

std::vector<Day> all_days(Day lower, Day upper) {
  std::vector<Day> days;
  for (Day day = lower; day <= upper; ++day.number) days.push_back(day);
  return days;
}

// The first days of months, by a step of which about fifty lie within.
std::vector<Day> some_months(Day lower, Day upper) {
  const int first = query::year_of(lower) * months, last = (query::year_of(upper) + 1) * months;
  const auto step = std::find_if(months_of_steps.begin(), months_of_steps.end(),
                                 [&](int count) { return (upper.number - lower.number) / (count * 30) <= most_steps; });
  const int by = step == months_of_steps.end() ? months_of_steps.back() : *step;
  std::vector<Day> days{lower};
  for (int count = first - first % by; count < last; count += by) {
    if (count < months) continue;  // there is no year 0
    if (const Day day = first_of_month(count); lower < day && day <= upper) days.push_back(day);
  }
  return days;
}

}  // namespace

std::vector<Day> bucket_days(const std::optional<query::Range>& range) {
  if (!range) return likely_years();
  const Day lower = std::get<Day>(range->lower), upper = std::get<Day>(range->upper);
  std::vector<Day> days =
      upper.number - lower.number <= most_steps ? all_days(lower, upper) : some_months(lower, upper);
  days.push_back(Day{upper.number + 1});
  return days;
}

}  // namespace vernier::plan
