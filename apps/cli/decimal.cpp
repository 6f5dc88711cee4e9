#include "cli/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "vernier/core/text.hpp"
#include "vernier/numeric/double_double.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::cli {
namespace {

// The powers of ten that are doubles.
constexpr std::array<double, 23> ten_to = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A decimal is digits times 10^exponent.
struct Digits {
  std::int64_t digits;
  int exponent;
};

// "1.25e-06" is 125 times 10^-8.
Digits digits_of(std::string_view scientific) {
  Digits read{0, 0};
  const std::size_t e = scientific.find('e');
  for (const char c : scientific.substr(0, e)) {
    if (c != '.') read.digits = 10 * read.digits + (c - '0');
  }
  const std::string_view power = scientific.substr(scientific[e + 1] == '+' ? e + 2 : e + 1);
  std::from_chars(power.data(), power.data() + power.size(), read.exponent);
  read.exponent -= e > 1 ? static_cast<int>(e) - 2 : 0;
  return read;
}

// The sign of the decimal less its nearest double, where doubles can tell: the digits and the power of ten are doubles,
// their product with the other is a sum of two doubles exactly, and the greater of these is so near to what it is
// compared with that their difference is exact (Sterbenz).
std::optional<double> excess(Digits written, double nearest) {
  const auto size = static_cast<std::size_t>(std::abs(written.exponent));
  if (written.digits > (std::int64_t{1} << 53) || size >= ten_to.size()) return std::nullopt;
  const auto digits = static_cast<double>(written.digits);
  const double scaled = written.exponent < 0 ? nearest : digits;
  const auto [high, low] = numeric::two_product(scaled, ten_to[size]);
  return written.exponent < 0 ? (digits - high) - low : (high - nearest) + low;
}

}  // namespace

Decimal typed_decimal(double value) {
  if (value < 0x1p53 && value == std::floor(value)) return Decimal::exactly(value);
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  const std::string_view written(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::optional<double> beyond = excess(digits_of(written), value);
  if (!beyond) return *read_decimal({}, written);
  if (*beyond == 0) return Decimal::exactly(value);
  if (*beyond > 0) return {value, value, std::nextafter(value, std::numeric_limits<double>::infinity())};
  return {value, std::nextafter(value, 0), value};
}

Result<Decimal> read_decimal(std::string_view name, std::string_view text) {
  VERNIER_TRY(const double nearest, read_number(name, text));
  if (text.front() == '-') {
    return invalid(fmt::format("{} must not be negative, but it is '{}'; write it without the minus sign", name, text));
  }
  VERNIER_TRY(const numeric::Rational exact, numeric::Rational::of_decimal(text));
  return Decimal{nearest, exact.round_down(), exact.round_up()};
}

Result<Written> read_written(std::string_view name, std::string_view text) {
  return read_decimal(name, text).map([&](const Decimal& value) { return Written{std::string(text), value}; });
}

Result<std::int64_t> read_whole(std::string_view name, std::string_view text) {
  if (const Result<long long> digits = read_integer(name, text)) return *digits;
  VERNIER_TRY(const double number, read_number(name, text));
  if (std::abs(number) >= 0x1p63) return invalid(fmt::format("{} must fit in 64 bits, but it is {}", name, text));
  if (std::abs(number) >= 0x1p53) {
    return invalid(
        fmt::format("{} is not below 2^53 and must be written without point and exponent, but it is {}", name, text));
  }
  VERNIER_TRY(const numeric::Rational exact, numeric::Rational::of_decimal(text));
  if (exact.round_down() != exact.round_up() || std::trunc(number) != number) {
    return invalid(fmt::format("{} must be a whole number such as 3, but it is {}", name, text));
  }
  return static_cast<std::int64_t>(number);
}

Result<privacy::IntegerSensitivity> integer_sensitivity(std::string_view name, const Written& written) {
  const auto& [text, value] = written;
  const bool is_whole = value.down == value.up && value.down == std::floor(value.down);
  if (!is_whole && value.nearest < 0x1p53) {
    return invalid(
        fmt::format("{} must be a whole number for a mechanism over the whole numbers, but it is {}; write {}", name,
                    text, shortest(std::floor(value.nearest) + 1)));
  }
  return read_whole(name, text).and_then(privacy::IntegerSensitivity::of);
}

Result<privacy::IntegerSensitivity> read_integer_sensitivity(std::string_view name, std::string_view text) {
  return read_written(name, text).and_then([&](const Written& written) { return integer_sensitivity(name, written); });
}

}  // namespace vernier::cli
