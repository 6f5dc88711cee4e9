#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"

// The buckets in which the values of a column are counted to find bounds for it. They follow from the catalog alone, so
// that the count is a statistic like any other. docs/theory/bounds.md says how they were chosen.
namespace vernier::plan {

// The first days of the buckets of a date column, rising, and behind them one more: the day after the last bucket, or,
// without bounds, its last day.
std::vector<query::Day> bucket_days(const std::optional<query::Range>& range);

// Values between two neighbouring edges. Above 0 the upper edge belongs to it and below 0 the lower one, so that 0 has
// a bucket of its own; of dates always the first day.
struct Bucket {
  query::Value lower, upper;  // the bounds that it would give, of the column's type
  std::string condition;      // that a value is in it and in none before it: "<= 100"; empty of the last
};

struct BoundsGrid {
  std::vector<Bucket> buckets;          // in their order; all values of the column are in one
  std::size_t first_end = 0, last_end;  // those outside hold what lies beyond the declared bounds, or beyond all
};

// Numbers that people write, 1, 2, 5, 10, ..., of both signs, where the column has no bounds; with bounds those within,
// and some fifty equal steps. Of dates years, with bounds down to days. Strings and booleans have none.
Result<BoundsGrid> bounds_grid(const query::Column& column);

// The statement that counts them: one row for each bucket, numbered from 0. It is asked of the column without its
// bounds: what lies outside must not be moved in before it is counted.
std::string bounds_statement(const query::Table& table, const query::Column& column, const BoundsGrid& grid);

// Buckets in their order, both ends included.
struct BucketRange {
  std::size_t first;
  std::size_t last;
};

// The range that is written for these buckets: its ends may be ends; it reaches to 0 where that is near, for its size,
// and holds more than one value.
BucketRange rounded_outward(const BoundsGrid& grid, BucketRange range);

// The bounds of a range that was rounded outward.
query::Range range_of(const BoundsGrid& grid, BucketRange range);

// How a catalog declares the column with these bounds: { type = "real", lower = 0, upper = 200000 }. The granularity is
// left out where it is the usual one; else it is the declared one, or one of which both bounds are multiples.
std::string declaration(const query::Column& column, const query::Range& range);

}  // namespace vernier::plan
