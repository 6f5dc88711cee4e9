#include "vernier/core/text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace vernier {
namespace {

bool is_decimal_alphabet(std::string_view text) {
  return text.find_first_not_of("0123456789+-.eE") == std::string_view::npos;
}

// from_chars takes no leading plus sign; people write one.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

Failure not_a(std::string_view kind, std::string_view name, std::string_view text) {
  return invalid(std::string(name) + " must be a " + std::string(kind) + ", but it is '" + std::string(text) + "'");
}

}  // namespace

std::string shortest(double value) {
  std::array<char, 32> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

Result<double> read_number(std::string_view name, std::string_view text) {
  double value = 0;
  const std::string_view digits = without_plus(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    return invalid(std::string(name) + " is beyond the range of a double (about 1e-308 to 1e308): '" +
                   std::string(text) + "'");
  }
  if (error != std::errc() || end != digits.data() + digits.size() || !is_decimal_alphabet(text)) {
    return not_a("decimal number such as 0.05 or 1e-6", name, text);
  }
  return value;
}

Result<long long> read_integer(std::string_view name, std::string_view text) {
  long long value = 0;
  const std::string_view digits = without_plus(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    return invalid(std::string(name) + " does not fit in 64 bits: '" + std::string(text) + "'");
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return not_a("whole number such as 1000", name, text);
  }
  return value;
}

namespace {

double unit_of_last_digit(double value, int digits) {
  return std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
}

double number_in(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

}  // namespace

std::string nearest_text(double value, int digits) {
  std::array<char, 64> text{};
  const auto [end, _] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
  return {text.data(), end};
}

std::string rounded_up_text(double value, int digits) {
  std::string nearest = nearest_text(value, digits);
  if (value <= 0 || number_in(nearest) >= value) return nearest;
  return nearest_text(value + 0.75 * unit_of_last_digit(value, digits), digits);
}

std::string rounded_down_text(double value, int digits) {
  std::string nearest = nearest_text(value, digits);
  if (value <= 0 || number_in(nearest) <= value) return nearest;
  return nearest_text(value - 0.75 * unit_of_last_digit(value, digits), digits);
}

}  // namespace vernier
