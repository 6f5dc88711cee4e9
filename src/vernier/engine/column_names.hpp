#pragma once

#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// The names of the columns of a data file, checked to be names that a catalog can have. Sentences about them tell the
// number of the column and not what stands there, which may be data.
Result<std::vector<std::string>> column_names(const std::string& path, query::SourceKind kind, char delimiter);

}  // namespace vernier::engine
