#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {

// source, format, delimiter, quoted and line_breaks of a table.
Source read_source(TableReader& reader);

}  // namespace vernier::query
