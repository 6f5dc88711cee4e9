#include "cli/decimal.hpp"

#include <string>

#include <fmt/format.h>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::cli {

Result<Decimal> read_decimal(std::string_view name, std::string_view text) {
  const Result<double> nearest = read_number(name, text);
  if (!nearest) return Failure(nearest.error());
  if (text.front() == '-') {
    return invalid(fmt::format("{} must not be negative, but it is '{}'; write it without the minus sign", name, text));
  }
  const Result<numeric::Rational> exact = numeric::Rational::of_decimal(text);
  if (!exact) return Failure(exact.error());
  return Decimal{*nearest, exact->round_down(), exact->round_up()};
}

}  // namespace vernier::cli
