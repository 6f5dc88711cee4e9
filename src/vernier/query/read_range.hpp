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

// The granularity of a real column that declares none: a power of two.
inline constexpr double granularity_without_bounds = 0x1p-20;
double usual_granularity(const numeric::Rational& lower, const numeric::Rational& upper);

}  // namespace vernier::query
