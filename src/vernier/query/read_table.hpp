#pragma once

#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_document.hpp"

namespace vernier::query {

// [tables.NAME], with its columns.
Table read_table(const TomlEntry& entry, std::vector<Problem>& problems);

// Two names that differ by case alone, if at all, are a problem at the second.
void refuse_duplicates(const TomlTable& named, const char* what, std::vector<Problem>& problems);

}  // namespace vernier::query
