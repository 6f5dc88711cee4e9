#include "vernier/query/expression/text_sql.hpp"

#include "vernier/query/expression/render.hpp"
#include "vernier/query/written_value.hpp"

namespace vernier::query {
namespace {

std::string guarded_cast(std::string_view type, const std::string& x, const Dialect& in) {
  return std::string(in.guarded_cast()) + "(" + x + " AS " + std::string(type) + ")";
}

// A day that there is, from its four, two and two digits, before it is cast: no engine but one could be asked whether
// a cast will fail.
std::string as_date(const std::string& written, const Dialect& in) {
  const std::string text = "trim(" + written + ")";
  const auto part = [&](const char* at, const char* length) {
    return guarded_cast("BIGINT", "substr(" + text + ", " + at + ", " + length + ")", in);
  };
  const std::string year = part("1", "4"), month = part("6", "2"), day = part("9", "2");
  const std::string last = "CASE WHEN " + month + " IN (4, 6, 9, 11) THEN 30 WHEN " + month + " <> 2 THEN 31 WHEN " +
                           year + " % 4 = 0 AND (" + year + " % 100 <> 0 OR " + year +
                           " % 400 = 0) THEN 29 ELSE 28 END";
  const std::string is_day = year + " >= 1 AND " + month + " BETWEEN 1 AND 12 AND " + day + " BETWEEN 1 AND " + last;
  return when(in.matches(written, day_pattern()), when(is_day, guarded_cast(in.type(Type::date), text, in)));
}

// Seconds and their fractions may be left out, and so may the time of the day.
std::string ticks_of_time(const std::string& text, const Dialect& in) {
  const auto digits = [&](const std::string& of, const char* at, const char* length) {
    return guarded_cast("BIGINT", "substr(" + of + ", " + at + ", " + length + ")", in);
  };
  const std::string hours = digits(text, "12", "2"), minutes = digits(text, "15", "2"),
                    seconds = digits(text, "18", "2");
  const std::string fraction = digits("(" + text + " || '000000')", "21", "6"), length = "length(" + text + ")";
  const std::string behind_second = "CASE WHEN " + length + " > 19 THEN " + fraction + " ELSE 0 END";
  const std::string behind_minute = "CASE WHEN " + length + " <= 16 THEN 0 WHEN " + seconds + " <= 59 THEN " + seconds +
                                    " * 1000000 + " + behind_second + " END";
  return "CASE WHEN " + length + " <= 10 THEN 0 WHEN " + hours + " <= 23 AND " + minutes + " <= 59 THEN " + hours +
         " * 3600000000 + " + minutes + " * 60000000 + " + behind_minute + " END";
}

// What the pattern admits has 38 digits at most.
std::string as_integer(const std::string& text, const Dialect& in) {
  const std::string wide = guarded_cast(in.wide_type(), "trim(" + text + ")", in);
  const std::string has_place = wide + " BETWEEN " + in.constant(INT64_MIN) + " AND " + in.constant(INT64_MAX);
  return when(in.matches(text, integer_pattern()), when(has_place, guarded_cast("BIGINT", wide, in)));
}

std::string as_real(const std::string& text, const Dialect& in) {
  const std::string value = in.real_of_text("trim(" + text + ")");
  const std::string counts = value + " BETWEEN " + in.constant(any_real.lower) + " AND " + in.constant(any_real.upper);
  return when(in.matches(text, real_pattern()), when(counts, value));
}

std::string as_truth(const std::string& text, const Dialect& in) {
  return "CASE WHEN " + in.matches(text, true_pattern()) + " THEN TRUE WHEN " + in.matches(text, false_pattern()) +
         " THEN FALSE END";
}

}  // namespace

std::string text_column(const std::string& name, const Dialect& in) {
  const std::string is_text = in.is_text(name);
  const std::string is_short = in.octets(name) + " <= " + std::to_string(longest_text);
  return in.bytewise("(" + when(is_text.empty() ? is_short : is_short + " AND " + is_text, name) + ")");
}

std::string put_together(const std::vector<std::string>& texts, const Dialect& in) {
  std::string length, whole;
  for (const std::string& text : texts) {
    length += (length.empty() ? "" : " + ") + in.octets(text);
    whole += (whole.empty() ? "" : " || ") + text;
  }
  return in.bytewise("(" + when(length + " <= " + std::to_string(longest_text), "(" + whole + ")") + ")");
}

std::string instant_of_text(const std::string& text, const Dialect& in) {
  const std::string time = in.bytewise("trim(TRAILING 'Z' FROM " + text + ")");
  const std::string pattern = "[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?Z?)?";
  const std::string day = in.day_number("(" + as_date("substr(" + time + ", 1, 10)", in) + ")");
  return when(in.matches(text, pattern), cast_to("BIGINT", day) + " * " + in.constant(std::int64_t{86'400'000'000}) +
                                             " + (" + ticks_of_time(time, in) + ")");
}

std::string text_as(Type type, const std::string& text, const Dialect& in) {
  if (type == Type::date) return as_date(text, in);
  const std::string is_short = in.octets(text) + " <= " + std::to_string(longest_number);
  if (type == Type::integer) return when(is_short, as_integer(text, in));
  return type == Type::real ? when(is_short, as_real(text, in)) : as_truth(text, in);
}

}  // namespace vernier::query
