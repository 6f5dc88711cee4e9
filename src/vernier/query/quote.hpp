#pragma once

#include <string>
#include <string_view>

#include "vernier/query/value.hpp"

// Names and values as DuckDB reads them. What stands in quotes here cannot end them.
namespace vernier::query {

// "BIGINT" of integers, "DOUBLE" of reals.
std::string_view column_type(Type type);

// In double quotes, with every quote inside doubled; the name has no NUL and is not empty.
std::string quoted_identifier(std::string_view name);

// In single quotes likewise; backslashes mean nothing in them.
std::string quoted_text(std::string_view text);

// In round brackets.
std::string bracketed(std::string_view sql);

// A value as a constant of exactly its type. Decimals in a string are read to the nearest double; bare ones would pass
// through DECIMAL.
std::string rendered(const Value& value);

}  // namespace vernier::query
