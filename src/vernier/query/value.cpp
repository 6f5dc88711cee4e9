#include "vernier/query/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "vernier/core/text.hpp"

namespace vernier::query {
namespace {

constexpr std::array<std::string_view, 5> names = {"boolean", "integer", "real", "string", "date"};

static_assert(std::variant_size_v<Value> == names.size(), "a value has its type's place in the variant");

std::string padded(int number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

struct TextOf {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return shortest(value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(Day value) const { return text_of(value); }
};

// The number that these digits make; none when anything else is among them.
std::optional<unsigned> digits_of(std::string_view text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string_view name_of(Type type) { return names[static_cast<std::size_t>(type)]; }

std::optional<Type> type_named(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Type>(found - names.begin());
}

std::vector<std::string> type_names() { return {names.begin(), names.end()}; }

std::optional<Day> Day::of(int year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (year < 1 || year > 9999 || !date.ok()) return std::nullopt;
  return Day{static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count())};
}

std::string text_of(Day day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day.number))};
  return padded(static_cast<int>(date.year()), 4) + "-" + padded(static_cast<int>(unsigned(date.month())), 2) + "-" +
         padded(static_cast<int>(unsigned(date.day())), 2);
}

std::optional<Day> read_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = digits_of(text.substr(0, 4)), month = digits_of(text.substr(5, 2)), day = digits_of(text.substr(8));
  if (!year || !month || !day) return std::nullopt;
  return Day::of(static_cast<int>(*year), *month, *day);
}

Type type_of(const Value& value) { return static_cast<Type>(value.index()); }

std::string text_of(const Value& value) { return std::visit(TextOf(), value); }

}  // namespace vernier::query
