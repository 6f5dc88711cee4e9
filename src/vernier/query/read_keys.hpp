#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {

// The public keys of a column: of its type, distinct, within its bounds.
std::vector<Value> read_keys(TableReader& reader, Type type, const std::optional<Range>& range);

// Its labels: for keys where keys are declared, else for values within the bounds where there are any.
std::map<Value, std::string> read_labels(TableReader& reader, const Column& column);

}  // namespace vernier::query
