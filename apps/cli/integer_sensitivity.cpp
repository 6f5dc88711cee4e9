#include "cli/integer_sensitivity.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {

Result<privacy::IntegerSensitivity> read_integer_sensitivity(std::string_view name, std::string_view text) {
  const Result<Decimal> written = read_decimal(name, text);
  if (!written) return Failure(written.error());
  const bool is_whole = written->down == written->up && written->down == std::floor(written->down);
  if (!is_whole && written->nearest < 0x1p53) {
    return invalid(
        fmt::format("{} must be a whole number for a mechanism over the whole numbers, but it is {}; write {}", name,
                    text, shortest(std::floor(written->nearest) + 1)));
  }
  return read_whole(name, text).and_then(privacy::IntegerSensitivity::of);
}

}  // namespace vernier::cli
