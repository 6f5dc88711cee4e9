#include "vernier/query/calendar.hpp"

#include <chrono>

namespace vernier::query {

int year_of(Day day) {
  using namespace std::chrono;
  return static_cast<int>(year_month_day(sys_days(days(day.number))).year());
}

}  // namespace vernier::query
