#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vernier/query/toml_document.hpp"
#include "vernier/query/value.hpp"

namespace vernier::query {

// What a value of the type looks like in a file: `a whole number such as 16`.
std::string example_of(Type type);

// The value of a key; none where it is of another type. Reals have their own way, over the grid.
std::optional<Value> value_of(const TomlNode& node, Type type);

// The value that the key of a table stands for, since keys are text: 16 = "Doctorate degree".
std::optional<Value> value_of_key(std::string_view key, Type type);

}  // namespace vernier::query
