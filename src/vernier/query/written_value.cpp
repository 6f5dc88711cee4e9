#include "vernier/query/written_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vernier::query {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return small(a) == b; });
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

// A decimal number, taken apart.
struct Decimal {
  bool is_negative = false;
  std::string_view before, behind;  // the point
  int power = 0;                    // of ten
  std::string_view unsigned_text;
};

constexpr std::size_t most_digits_of_power = 4;

std::optional<int> read_power(std::string_view text) {
  const bool is_negative = take(text, '-');
  if (!is_negative) take(text, '+');
  const std::string_view digits = take_digits(text);
  if (!text.empty() || digits.empty() || digits.size() > most_digits_of_power) return std::nullopt;
  int power = 0;
  for (const char c : digits) power = 10 * power + (c - '0');
  return is_negative ? -power : power;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  if (text.size() > longest_number) return std::nullopt;
  text = trimmed(text);
  Decimal number;
  number.is_negative = take(text, '-');
  if (!number.is_negative) take(text, '+');
  number.unsigned_text = text;
  number.before = take_digits(text);
  if (take(text, '.')) number.behind = take_digits(text);
  if (number.before.empty() && number.behind.empty()) return std::nullopt;
  if (text.empty()) return number;
  if (small(text.front()) != 'e') return std::nullopt;
  const std::optional<int> power = read_power(text.substr(1));
  if (!power) return std::nullopt;
  number.power = *power;
  return number;
}

// Whether the first digit that is not 0 stands behind the point, in a number beyond the range of doubles.
bool is_tiny(const Decimal& number) {
  const std::string digits = std::string(number.before).append(number.behind);
  const std::size_t first = digits.find_first_not_of('0');
  return static_cast<std::ptrdiff_t>(number.before.size()) - static_cast<std::ptrdiff_t>(first) + number.power <= 0;
}

constexpr int greatest_power = 20;       // of integers
constexpr std::size_t most_digits = 19;  // of 64 bits
constexpr std::size_t most_wide = 38;    // before the point, of the widest integers of engines

std::string_view without_zeros(std::string_view digits) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

std::optional<bool> written_boolean(std::string_view text) {
  const std::string_view word = trimmed(text);
  if (is_word(word, "true") || word == "1") return true;
  if (is_word(word, "false") || word == "0") return false;
  return std::nullopt;
}

std::optional<Day> written_day(std::string_view text) { return read_day(trimmed(text)); }

// 17000.0, as is written where one value is missing, or 1e+05: exactly, without a double.
std::optional<std::int64_t> written_integer(std::string_view text) {
  const std::optional<Decimal> number = read_decimal(text);
  if (!number) return std::nullopt;
  if (without_zeros(number->before).size() > most_wide) return std::nullopt;
  std::string digits(without_zeros(std::string(number->before).append(number->behind)));
  int power = number->power - static_cast<int>(number->behind.size());
  for (; digits.ends_with('0'); ++power) digits.pop_back();
  if (digits.empty()) return 0;
  if (std::abs(number->power) > greatest_power || power < 0) return std::nullopt;
  if (digits.size() + static_cast<std::size_t>(power) > most_digits) return std::nullopt;
  digits.append(static_cast<std::size_t>(power), '0');
  if (number->is_negative) digits.insert(digits.begin(), '-');
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return failure == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<double> written_real(std::string_view text) {
  const std::optional<Decimal> number = read_decimal(text);
  if (!number) return std::nullopt;
  const std::string_view digits = number->unsigned_text;
  double value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure == std::errc::result_out_of_range) return is_tiny(*number) ? std::optional(0.0) : std::nullopt;
  return number->is_negative ? -value : value;
}

namespace {

std::string up_to(std::size_t count) { return "{0," + std::to_string(count) + "}"; }
std::string from_one_to(std::size_t count) { return "{1," + std::to_string(count) + "}"; }

std::string power_of(int power) {
  const std::string zeros = "0" + up_to(power < 10 ? most_digits_of_power - 1 : most_digits_of_power - 2);
  return zeros + std::to_string(power);
}

// Digits whose point moves to the right: what stands behind it then is 0.
std::string times_power(int power) {
  const auto places = static_cast<std::size_t>(power);
  const std::string before = places < most_digits ? "0*[0-9]" + from_one_to(most_digits - places) : "0+";
  return "(" + before + "([.][0-9]" + up_to(places) + "0*)?|[.][0-9]" + from_one_to(places) + "0*)[eE][+]?" +
         power_of(power);
}

// To the left: as many zeros stand before it.
std::string by_power(int power) {
  const std::size_t before = std::min(most_digits, most_wide - static_cast<std::size_t>(power));
  return "0*[0-9]" + up_to(before) + "0{" + std::to_string(power) + "}([.]0*)?[eE]-" + power_of(power);
}

std::string made_integer_pattern() {
  std::string all =
      "0*[0-9]" + from_one_to(most_digits) + "([.]0*)?([eE][+-]?0" + from_one_to(most_digits_of_power) + ")?";
  all += "|(0+([.]0*)?|[.]0+)([eE][+-]?[0-9]" + from_one_to(most_digits_of_power) + ")?";
  for (int power = 1; power <= greatest_power; ++power) all += "|" + times_power(power) + "|" + by_power(power);
  return " *[+-]?(" + all + ") *";
}

}  // namespace

const std::string& integer_pattern() {
  static const std::string pattern = made_integer_pattern();
  return pattern;
}

std::string_view real_pattern() { return " *[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,4})? *"; }

std::string_view true_pattern() { return " *([tT][rR][uU][eE]|1) *"; }
std::string_view false_pattern() { return " *([fF][aA][lL][sS][eE]|0) *"; }
std::string_view day_pattern() { return " *[0-9]{4}-[0-9]{2}-[0-9]{2} *"; }

}  // namespace vernier::query
