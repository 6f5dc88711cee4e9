#include "text/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "vernier/core/text.hpp"

namespace vernier::text {
namespace {

constexpr double greatest_grouped = 1e15;  // from here on digits behind the point mean nothing, and exponents are read

std::string with_commas(std::string digits) {
  const std::size_t begin = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = point; i > begin + 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

// The least number of so many decimals that is not below.
double rounded_up(double value, int decimals) {
  const double unit = std::pow(10.0, decimals);
  const double up = std::ceil(value * unit) / unit;
  return up >= value ? up : (std::ceil(value * unit) + 1) / unit;
}

bool is_huge(double value) { return !(std::abs(value) < greatest_grouped); }

}  // namespace

std::string grouped(std::int64_t value) { return with_commas(std::to_string(value)); }

std::string grouped(double value, int decimals) {
  return is_huge(value) ? shortest(value) : with_commas(fmt::format("{:.{}f}", value, decimals));
}

Margin with_margin(double value, double accuracy, int decimals) {
  if (is_huge(value) || is_huge(accuracy)) return {shortest(value), shortest(accuracy)};
  const double unit = std::pow(10.0, decimals), shown = std::round(value * unit) / unit;
  return {grouped(shown, decimals), grouped(rounded_up(accuracy + std::abs(shown - value), decimals), decimals)};
}

int decimals_for(double size, int digits) {
  if (!(size > 0) || is_huge(size)) return 0;
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(size))), 0, 9);
}

std::string grouped_up(double value) { return grouped_up(value, decimals_for(value, 3)); }

std::string grouped_up(double value, int decimals) {
  return is_huge(value) ? shortest(value) : grouped(rounded_up(value, decimals) + 0.0, decimals);
}

std::string grouped_down(double value, int decimals) {
  return is_huge(value) ? shortest(value) : grouped(-rounded_up(-value, decimals) + 0.0, decimals);
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

}  // namespace vernier::text
