#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "vernier/query/value.hpp"

// What the bytes of a cell in a Parquet file mean. Every function is total: of what it does not know it says nothing.
namespace vernier::engine {

// The text, where it is UTF-8.
std::optional<std::string_view> text_of_bytes(std::string_view bytes);

// 16 bytes as 123e4567-e89b-12d3-a456-426614174000.
struct UuidText {
  std::array<char, 36> characters;
  std::string_view view() const { return {characters.data(), characters.size()}; }
};
std::optional<UuidText> text_of_uuid(std::string_view bytes);

// A whole number in two's complement, the highest byte first, times 10^-scale: the nearest double. None where it has no
// byte or needs more than 128 bits.
std::optional<double> real_of_decimal(std::string_view bytes, std::int32_t scale);

// Two bytes of IEEE 754 binary16, the lower first.
std::optional<double> real_of_half(std::string_view bytes);

// The day so many days after 1970-01-01, within the years that there are.
std::optional<query::Day> day_of_number(std::int32_t number);

}  // namespace vernier::engine
