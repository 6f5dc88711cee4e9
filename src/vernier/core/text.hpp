#pragma once

#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

// Numbers to text and back, free of locale.
namespace vernier {

// The shortest decimal that reads back as the same double: 0.1, 1e+100, nan, -inf.
std::string shortest(double value);

// Reads a decimal number: digits with an optional sign, point and exponent, and nothing else around it. The nearest
// double; text that is no decimal number (hex, "0,1", "nan", "inf", blanks) or is beyond the range of a double (1e400)
// is refused, with `name` as the subject of the sentence.
Result<double> read_number(std::string_view name, std::string_view text);

// Likewise for a whole number that fits in 64 bits.
Result<long long> read_integer(std::string_view name, std::string_view text);

}  // namespace vernier
