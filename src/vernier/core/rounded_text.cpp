#include "vernier/core/rounded_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace vernier {
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
