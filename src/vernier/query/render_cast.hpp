#pragma once

#include <string>
#include <string_view>

#include "vernier/query/expression.hpp"

namespace vernier::query {

// CAST(x AS type), for what cannot fail.
std::string cast_to(std::string_view type, const std::string& x);

// The value where the condition is true, and NULL elsewhere.
std::string when(const std::string& condition, const std::string& value);

// A cast of the grammar: NULL where the value has no place in the type.
std::string rendered_cast(const Expression& x);

}  // namespace vernier::query
