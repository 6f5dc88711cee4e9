#include "cli/rounded_text.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

double unit_of_last_digit(double value, int digits) {
  return std::pow(10.0, std::floor(std::log10(value)) - (digits - 1));
}

double number_in(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

}  // namespace

std::string nearest_text(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

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

std::string confidence_text(double alpha) {
  constexpr std::size_t most_decimals = 12;  // 100 (1 - alpha) in doubles is right to that many and more
  const std::string written = fmt::format("{:.{}f}", alpha, most_decimals);
  if (std::strtod(written.c_str(), nullptr) != alpha) return "1 - " + shortest(alpha);
  std::string percent = fmt::format("{:.{}f}", 100 - 100 * alpha, most_decimals - 2);
  percent.erase(percent.find_last_not_of('0') + 1);
  if (percent.back() == '.') percent.pop_back();
  return percent + " %";
}

}  // namespace vernier::cli
