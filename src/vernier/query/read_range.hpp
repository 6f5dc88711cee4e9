#pragma once

#include <optional>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {

// lower, upper and granularity of a column.
struct Grid {
  std::optional<Range> range;
  double granularity = 1;
};
Grid read_grid(TableReader& reader, Type type);

}  // namespace vernier::query
