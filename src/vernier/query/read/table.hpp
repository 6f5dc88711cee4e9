#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

// source, format, delimiter, quoted and line_breaks of a table.
Source read_source(TableReader& reader, std::vector<Problem>& problems);

// What a mean over all rows needs where their number is public: plan/statistic/public_count.md.
// public_count of a table whose source, unit and neighbours are read: only where neighbours have the same number of
// rows, which is where every row is a unit and is replaced, and where no row has the lines of others.
bool read_public_count(TableReader& reader, const Table& table);

// never_null of a column whose type and bounds are read: only where it has bounds, since what is missing in spite of it
// counts as the lower one.
bool read_never_null(TableReader& reader, const Column& column);

// The column of survey weights of a protected table, whose columns, unit and sampled part are read; none where the key
// is not there. The name is as the column has it.
std::optional<std::string> read_weight(TableReader& reader, const Table& table);

// [tables.NAME], with its columns.
Table read_table(const TomlEntry& entry, std::vector<Problem>& problems);

// Two names that differ by case alone, if at all, are a problem at the second.
void refuse_duplicates(const TomlTable& named, const char* what, std::vector<Problem>& problems);

}  // namespace vernier::query
