#pragma once

#include <string>
#include <string_view>

#include "vernier/engine/source_columns.hpp"

namespace vernier::engine {

// A keyed hash of the rows of a table in memory, as a statement reads them: of each declared column its values in the
// declared type and which of them are NULL, whatever library holds them and in whatever batches. Columns that are not
// declared do not count; the order of the rows does.
Result<std::string> digest_of(const query::Table& table, const SourceColumns& source, std::string_view key);

}  // namespace vernier::engine
