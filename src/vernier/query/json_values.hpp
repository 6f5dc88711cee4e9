#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/json_writer.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {

// A value in its own type; days as text.
void write_value(JsonWriter& json, const Value& value);

// A list of texts.
void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts);

}  // namespace vernier::query
