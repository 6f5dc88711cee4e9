#pragma once

#include <string>

#include "cli/output.hpp"
#include "cli/study/asked_study.hpp"
#include "vernier/interval/rows/occupied_range.hpp"
#include "vernier/plan/bounds_grid.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// The column whose bounds are looked for, and its buckets.
struct BoundsQuestion {
  query::Table table;
  query::Column column;
  plan::BoundsGrid grid;
};

// Made from the released counts alone.
struct BoundsAnswer {
  const BoundsQuestion& question;
  const AskedStudy& asked;
  const release::Release& release;
  std::optional<plan::BucketRange> kept;  // none: nothing stands out of the noise
  interval::RangeStatement found;         // of what is kept; else of all buckets
};
BoundsAnswer bounds_answer(const BoundsQuestion& question, const AskedStudy& asked, const release::Release& release);

// The line of the catalog that declares these bounds.
std::string catalog_line(const query::Column& column, const query::Range& range);

void write_bounds_report(Output& output, const BoundsAnswer& answer);
void write_bounds_json(Output& output, const BoundsAnswer& answer);

}  // namespace vernier::cli
