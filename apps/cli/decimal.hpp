#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::cli {

// A number as a user writes it, and the doubles around it: 0.1 lies between two, and its nearest double is above it. A
// promise takes the one on the safe side; what is echoed is the nearest.
struct Decimal {
  double nearest;
  double down;  // the largest double not above it
  double up;    // the least double not below it

  static Decimal exactly(double value) { return {value, value, value}; }
};

// The decimal that a double stands for where a person typed it: the shortest one that reads back as it, so 0.1 for the
// double nearest to 0.1. For values that are finite and not negative.
Decimal typed_decimal(double value);

// A decimal with its text, which sentences quote.
struct Written {
  std::string text;
  Decimal value;
};

// Reads a decimal number without a minus sign; `name` is the subject of the sentence when it is none.
Result<Decimal> read_decimal(std::string_view name, std::string_view text);
Result<Written> read_written(std::string_view name, std::string_view text);

// The value is checked as it was written, so that a sentence quotes it so, and then taken as it is rounded.
template <class Parameter>
Result<Parameter> rounded(const Decimal& written, double Decimal::*toward) {
  return Parameter::of(written.nearest).and_then([&](Parameter) { return Parameter::of(written.*toward); });
}
// A budget or a target that is rounded up would promise too much, and so would a sensitivity that is rounded down.
template <class Parameter>
Result<Parameter> rounded_down(const Decimal& written) {
  return rounded<Parameter>(written, &Decimal::down);
}
template <class Parameter>
Result<Parameter> rounded_up(const Decimal& written) {
  return rounded<Parameter>(written, &Decimal::up);
}

// Reads a whole number of 64 bits, as 3, 3.0 or 1e6. From 2^53 in size on all its digits must be written, since a
// number with a point or an exponent passes through a double.
Result<std::int64_t> read_whole(std::string_view name, std::string_view text);

// Reads the sensitivity of a mechanism over the whole numbers; another number, however near to one, is refused with
// the whole number that covers it.
Result<privacy::IntegerSensitivity> read_integer_sensitivity(std::string_view name, std::string_view text);
Result<privacy::IntegerSensitivity> integer_sensitivity(std::string_view name, const Written& written);

}  // namespace vernier::cli
