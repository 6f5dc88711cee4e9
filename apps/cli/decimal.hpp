#pragma once

#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// A number as a user writes it, and the doubles around it: 0.1 lies between two, and its nearest double is above it. A
// promise takes the one on the safe side; what is echoed is the nearest.
struct Decimal {
  double nearest;
  double down;  // the largest double not above it
  double up;    // the least double not below it

  static Decimal exactly(double value) { return {value, value, value}; }
};

// Reads a decimal number without a minus sign; `name` is the subject of the sentence when it is none.
Result<Decimal> read_decimal(std::string_view name, std::string_view text);

}  // namespace vernier::cli
