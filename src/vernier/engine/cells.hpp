#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vernier/query/value.hpp"

// How the text of a CSV cell becomes a value of the declared type; none where it is no such text. Blanks around it do
// not count. docs/guide/catalog.md tells stewards the same rules.
namespace vernier::engine {

std::optional<bool> boolean_cell(std::string_view text);          // true or false in any case, 1 or 0
std::optional<std::int64_t> integer_cell(std::string_view text);  // a sign, then digits; within 64 bits
std::optional<double> real_cell(std::string_view text);           // a decimal number within the range of doubles
std::optional<query::Day> date_cell(std::string_view text);       // 2026-01-31

}  // namespace vernier::engine
