#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vernier/query/value.hpp"

// What a text means as a value of another type: of cells in files, and of texts that are cast. Blanks around it do not
// count. docs/guide/catalog.md tells stewards the same rules.
namespace vernier::query {

std::optional<bool> written_boolean(std::string_view text);          // true or false in any case, 1 or 0
std::optional<std::int64_t> written_integer(std::string_view text);  // a decimal number that is whole, within 64 bits
std::optional<Day> written_day(std::string_view text);               // 2026-01-31
std::optional<double> written_real(std::string_view text);  // the double nearest to a decimal number; none is infinite

// Of a number, with blanks around it: a longer text is none.
inline constexpr std::size_t longest_number = 200;

// The same as regular expressions over the whole text, for engines: of an integer that has 38 digits at most and may
// still be beyond 64 bits, and of a decimal number.
const std::string& integer_pattern();
std::string_view real_pattern();
std::string_view true_pattern();
std::string_view false_pattern();
std::string_view day_pattern();  // of its form: there may be no such day

}  // namespace vernier::query
