#pragma once

#include <string_view>
#include <vector>

#include "cli/json.hpp"
#include "vernier/query/value.hpp"

namespace vernier::cli {

// A value in its own type; days as text.
void write_value(JsonWriter& json, const query::Value& value);

// A list of texts.
void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts);

}  // namespace vernier::cli
