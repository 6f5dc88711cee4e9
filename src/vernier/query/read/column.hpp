#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vernier/query/catalog.hpp"
#include "vernier/query/read/cell_format.hpp"
#include "vernier/query/toml/document.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {

// lower, upper and granularity of a column.
struct Grid {
  std::optional<Range> range;
  double granularity = 1;
  bool has_granularity = false;  // it was declared
};
Grid read_grid(TableReader& reader, Type type);

// The granularity of a real column that declares none: a power of two.
inline constexpr double granularity_without_bounds = 0x1p-20;
double usual_granularity(const numeric::Rational& lower, const numeric::Rational& upper);

// The public keys of a column: of its type, distinct, within its bounds.
std::vector<Value> read_keys(TableReader& reader, Type type, const std::optional<Range>& range);

// Its labels: for keys where keys are declared, else for values within the bounds where there are any.
std::map<Value, std::string> read_labels(TableReader& reader, const Column& column);

// What the table says of the cells of all its columns.
struct SourceFormat {
  SourceKind kind = SourceKind::csv;
  DeclaredFormat cells = {};
};

// A line of [tables.NAME.columns]: name = { type = "...", ... }.
Column read_column(const TomlEntry& entry, const SourceFormat& source, std::vector<Problem>& problems);

}  // namespace vernier::query
