#include <algorithm>
#include <array>

#include "vernier/query/translate/call_writers.hpp"
#include "vernier/query/translate/parser_nodes.hpp"
#include "vernier/query/translate/translate.hpp"

// Functions of times and dates that other systems have.
namespace vernier::query {
namespace {

Made as_time(const Json& at, Operands x) {
  if (x.size() != 1) return std::nullopt;
  return cast_of(at, "TIMESTAMP", std::move(x[0]));
}

// TIMESTAMP_DIFF(last, first, HOUR): whole hours that went by.
Made whole_units_between(const Json& at, Operands x) {
  if (x.size() != 3 || word_in(x[2]).empty()) return std::nullopt;
  std::string unit = word_in(x[2]);
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return call(at, "datesub", {text_constant(at, unit), std::move(x[1]), std::move(x[0])});
}

// The day before the first one of the next month.
Made last_day_of_month(const Json& at, Operands x) {
  if (x.size() != 1 || !is_short(x[0])) return std::nullopt;
  Json date = cast_of(at, "DATE", std::move(x[0]));
  Json day = call(at, "date_part", {text_constant(at, "day"), date});
  Json first = sign(at, "+", sign(at, "-", std::move(date), std::move(day)), whole(at, 1));
  Json next = sign(at, "+", std::move(first), call(at, "to_months", {whole(at, 1)}));
  return sign(at, "-", std::move(next), whole(at, 1));
}

template <std::size_t Count>
Made named_part(const Json& at, Operands x, std::string_view part, std::int64_t first,
                const std::array<std::string_view, Count>& names) {
  if (x.size() != 1 || !is_short(x[0])) return std::nullopt;
  std::vector<std::pair<Json, Json>> checks;
  for (std::size_t i = 0; i < Count; ++i) {
    Json number = call(at, "date_part", {text_constant(at, part), x[0]});
    checks.emplace_back(
        comparison_of(at, "COMPARE_EQUAL", std::move(number), whole(at, first + static_cast<std::int64_t>(i))),
        text_constant(at, names[i]));
  }
  return choice_of(at, std::move(checks), null_constant(at));
}

Made day_name(const Json& at, Operands x) {
  return named_part<7>(at, std::move(x), "dow", 0,
                       {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"});
}

Made month_name(const Json& at, Operands x) {
  return named_part<12>(at, std::move(x), "month", 1,
                        {"January", "February", "March", "April", "May", "June", "July", "August", "September",
                         "October", "November", "December"});
}

// Formats that are a part of 2026-01-31 23:59:59 as it is written.
struct Format {
  std::string_view written;
  std::int64_t first, count;
  bool is_time = false;
};
constexpr auto formats = std::to_array<Format>({{"%Y-%m-%d", 1, 10},
                                                {"%F", 1, 10},
                                                {"%Y-%m", 1, 7},
                                                {"%Y", 1, 4},
                                                {"%m", 6, 2},
                                                {"%d", 9, 2},
                                                {"%H", 12, 2, true},
                                                {"%H:%M", 12, 5, true},
                                                {"%Y-%m-%d %H", 1, 13, true},
                                                {"%Y-%m-%d %H:%M", 1, 16, true},
                                                {"YYYY-MM-DD", 1, 10},
                                                {"YYYY-MM", 1, 7},
                                                {"YYYY", 1, 4},
                                                {"MM", 6, 2},
                                                {"DD", 9, 2},
                                                {"HH24", 12, 2, true},
                                                {"HH24:MI", 12, 5, true},
                                                {"yyyy-MM-dd", 1, 10},
                                                {"yyyy-MM", 1, 7},
                                                {"yyyy", 1, 4},
                                                {"dd", 9, 2},
                                                {"HH", 12, 2, true}});

// TO_CHAR(x, 'YYYY-MM') and STRFTIME('%Y-%m', x), with the format before or behind.
Made formatted(const Json& at, Operands x) {
  if (x.size() != 2) return std::nullopt;
  const std::size_t place = text_in(x[1]) ? 1 : 0;
  const std::optional<std::string> written = text_in(x[place]);
  const auto format =
      std::find_if(formats.begin(), formats.end(), [&](const Format& one) { return one.written == written; });
  if (!written || format == formats.end()) return std::nullopt;
  Json text = cast_of(at, "VARCHAR", cast_of(at, format->is_time ? "TIMESTAMP" : "DATE", std::move(x[1 - place])));
  return call(at, "substring", {std::move(text), whole(at, format->first), whole(at, format->count)});
}

}  // namespace

const std::map<std::string_view, Writer>& writers_of_time() {
  static const std::map<std::string_view, Writer> known{
      {"timestamp", as_time},
      {"datetime", as_time},
      {"to_timestamp", as_time},
      {"parse_timestamp", as_time},
      {"timestamp_diff", whole_units_between},
      {"datetime_diff", whole_units_between},
      {"dayname", day_name},
      {"monthname", month_name},
      {"last_day", last_day_of_month},
      {"to_char", formatted},
      {"strftime", formatted},
      {"format_date", formatted},
      {"format_timestamp", formatted},
      {"date_format", formatted},
  };
  return known;
}

}  // namespace vernier::query
