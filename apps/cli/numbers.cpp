#include "cli/numbers.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::cli {

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

}  // namespace vernier::cli
