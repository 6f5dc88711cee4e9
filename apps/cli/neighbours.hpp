#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/privacy/parameters.hpp"

namespace vernier::cli {

// "add-remove" and "replace"; `name` is the subject of the sentence when the text is neither.
Result<privacy::Neighbours> neighbours_named(std::string_view name, const std::string& text);
std::vector<std::string> neighbour_names();

}  // namespace vernier::cli
