#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/parquet/schema.hpp"

// A footer that tells an engine where the cells of a Parquet file lie, and nothing about what they mean: no annotations
// that it would hold cells against, no statistics by which it would leave rows out. duckdb.md says why.
namespace vernier::engine {

// The footer with the flat columns alone whose types are read, as their physical types; only what is needed to find
// their cells is taken over. It is never longer. Refused, from the footer alone: one that is damaged, says two things
// of one number, points outside the data (the `data_end` bytes before it), to other files or to encrypted columns.
Result<std::string> plain_footer(std::string_view footer, std::int64_t data_end);

// The end of a file as an engine is to see it: as many bytes as its own footer and what follows it take.
Result<std::string> plain_tail(const ParquetFile& file);

// Whether cells of this type are read at all: "boolean", "integer", "real", "decimal", "string", "uuid", "date".
bool is_read(const ParquetColumn& column);

}  // namespace vernier::engine
