#pragma once

#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_document.hpp"

namespace vernier::query {

// A line of [tables.NAME.columns]: name = { type = "...", ... }.
Column read_column(const TomlEntry& entry, std::vector<Problem>& problems);

}  // namespace vernier::query
