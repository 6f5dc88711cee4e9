#pragma once

#include <optional>
#include <string>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {

// The column of survey weights of a protected table, whose columns, unit and sampled part are read; none where the key
// is not there. The name is as the column has it.
std::optional<std::string> read_weight(TableReader& reader, const Table& table);

}  // namespace vernier::query
