#include "plot/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

namespace vernier::plot {
namespace {

constexpr std::string_view minus = "\u2212";

// digit * 10^exponent, kept apart so that multiples of it stay round.
struct Step {
  int digit;
  int exponent;
  double value() const { return digit * std::pow(10.0, exponent); }
};

Step next(Step step) {
  if (step.digit == 1) return {2, step.exponent};
  if (step.digit == 2) return {5, step.exponent};
  return {1, step.exponent + 1};
}

Step round_step(double width, int most, double least_step) {
  const double wanted = std::max(width / most, least_step) * (1 - 1e-9);
  Step step{1, static_cast<int>(std::floor(std::log10(wanted))) - 1};
  while (step.value() < wanted) step = next(step);
  return step;
}

// Numbers of up to seven digits before the point or three zeros behind it are written out.
int label_exponent(double largest) {
  if (largest >= 1e-3 && largest < 1e7) return 0;
  return static_cast<int>(std::floor(std::log10(largest) + 1e-9));
}

// count * step / 10^exponent, in decimals that are neither missing nor superfluous.
std::string label_of(double count, Step step, int exponent) {
  const int shift = step.exponent - exponent;
  const double size = std::abs(count) * step.digit * std::pow(10.0, shift);
  const std::string digits = with_thousands(fmt::format("{:.{}f}", size, std::max(0, -shift)));
  return count < 0 ? std::string(minus) + digits : digits;
}

// digit * 10^exponent; written out where that is short.
std::string label_of(int digit, int exponent) {
  if (exponent >= -4 && exponent < 7) {
    return with_thousands(fmt::format("{:.{}f}", digit * std::pow(10.0, exponent), std::max(0, -exponent)));
  }
  constexpr std::size_t sign_bytes = std::string_view("×").size();
  const std::string power = power_of_ten(exponent);
  return digit == 1 ? power.substr(sign_bytes) : std::to_string(digit) + power;
}

// The digits times every stride-th power of ten, from low to high.
Ticks ticks_at(std::initializer_list<int> digits, int stride, double low, double high) {
  constexpr double slack = 1 + 1e-9;  // an end that is a tick stays one in spite of rounding
  Ticks ticks;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride != 0) continue;
    for (const int digit : digits) {
      const double value = digit * std::pow(10.0, exponent);
      if (value * slack < low || value > high * slack) continue;
      ticks.values.push_back(value);
      ticks.labels.push_back(label_of(digit, exponent));
    }
  }
  return ticks;
}

}  // namespace

Ticks round_ticks(double low, double high, int most, double least_step) {
  const Step step = round_step(high - low, most, least_step);
  const double slack = 1e-9;  // an end that is a tick stays one in spite of rounding
  const double first = std::ceil(low / step.value() - slack), last = std::floor(high / step.value() + slack);
  Ticks ticks;
  ticks.exponent = label_exponent(std::max({std::abs(first), std::abs(last), 1.0}) * step.value());
  const int steps = static_cast<int>(last - first);
  for (int i = 0; i <= steps; ++i) {
    const double count = first + i;
    ticks.values.push_back(count * step.value());
    ticks.labels.push_back(label_of(count, step, ticks.exponent));
  }
  return ticks;
}

Ticks log_ticks(double low, double high, int most) {
  constexpr std::size_t least = 3;
  const auto limit = static_cast<std::size_t>(most);
  Ticks ticks = ticks_at({1, 2, 5}, 1, low, high);
  if (ticks.values.size() < least) return round_ticks(low, high, most);
  for (int stride = 1; ticks.values.size() > limit; ++stride) ticks = ticks_at({1}, stride, low, high);
  return ticks;
}

std::string with_thousands(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < point && (point - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string power_of_ten(int exponent) {
  constexpr std::array<std::string_view, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "×10⁻" : "×10";
  for (const char digit : std::to_string(std::abs(exponent))) text += raised[static_cast<std::size_t>(digit - '0')];
  return text;
}

}  // namespace vernier::plot
