#pragma once

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml_reader.hpp"

// What a mean over all rows needs where their number is public: plan/public_count.md.
namespace vernier::query {

// public_count of a table whose source, unit and neighbours are read: only where neighbours have the same number of
// rows, which is where every row is a unit and is replaced, and where no row has the lines of others.
bool read_public_count(TableReader& reader, const Table& table);

// never_null of a column whose type and bounds are read: only where it has bounds, since what is missing in spite of it
// counts as the lower one.
bool read_never_null(TableReader& reader, const Column& column);

}  // namespace vernier::query
