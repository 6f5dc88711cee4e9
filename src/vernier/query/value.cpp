#include "vernier/query/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

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
  std::string operator()(double value) const { return plain(value); }
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

std::string plain(double value) {
  const bool is_whole = std::abs(value) < 1e15 && std::floor(value) == value;
  return is_whole ? std::to_string(static_cast<std::int64_t>(value)) : shortest(value);
}

Type type_of(const Value& value) { return static_cast<Type>(value.index()); }

std::string text_of(const Value& value) { return std::visit(TextOf(), value); }

int year_of(Day day) {
  using namespace std::chrono;
  return static_cast<int>(year_month_day(sys_days(days(day.number))).year());
}

namespace {

struct WriteValue {
  JsonWriter& json;
  void operator()(bool value) const { json.boolean(value); }
  void operator()(std::int64_t value) const { json.value(value); }
  void operator()(double value) const { json.value(value); }
  void operator()(const std::string& value) const { json.value(std::string_view(value)); }
  void operator()(Day value) const { json.value(std::string_view(text_of(value))); }
};

}  // namespace

void write_value(JsonWriter& json, const Value& value) { std::visit(WriteValue{json}, value); }

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key);
  json.begin_array();
  for (const std::string& text : texts) json.value(std::string_view(text));
  json.end_array();
}

}  // namespace vernier::query
