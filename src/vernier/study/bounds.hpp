#pragma once

#include <optional>
#include <string>

#include "vernier/interval/rows/occupied_range.hpp"
#include "vernier/plan/bounds_grid.hpp"
#include "vernier/release/release.hpp"
#include "vernier/study/study.hpp"

// Bounds of a column, found privately: a noisy count of buckets, and what follows from it.
namespace vernier::study {

// The column whose bounds are looked for, and its buckets.
struct BoundsQuestion {
  query::Table table;
  query::Column column;
  plan::BoundsGrid grid;

  // Of the column of a table that is written "people.income".
  static Result<BoundsQuestion> of(const Catalog& catalog, const std::string& column);

  // The count of the buckets, its column called "n"; budget, alpha and limits are those of `terms`.
  Result<Study> study(const Catalog& catalog, Question terms) const;
};

// Made from the released counts alone.
struct BoundsAnswer {
  const BoundsQuestion& question;
  const Study& study;
  const release::Release& release;
  std::optional<plan::BucketRange> kept;  // none: nothing stands out of the noise
  interval::RangeStatement found;         // of what is kept; else of all buckets

  // Whether most values are known to lie within what is kept: only then it is recommended.
  bool is_known_to_hold_most() const { return kept && found.share_outside_at_most() < 0.5; }
};
BoundsAnswer bounds_answer(const BoundsQuestion& question, const Study& study, const release::Release& release);

// The noisy counts, one for each bucket.
std::vector<std::int64_t> noisy_counts(const release::Release& release);

}  // namespace vernier::study
