#pragma once

#include <vector>

#include "vernier/query/table_set.hpp"
#include "vernier/query/toml/document.hpp"

namespace vernier::query {

// One [[table]]; what is wrong with it becomes a problem.
TableSet read_table_set(const TomlNode& node, std::vector<Problem>& problems);

}  // namespace vernier::query
