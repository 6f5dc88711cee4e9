#pragma once

#include "vernier/plan/statistic/parts.hpp"

// What the statistics of a study have in common: equal measurements are made once, and measurements of rows that
// exclude each other are charged once. sharing.md has the proofs.
namespace vernier::plan {

// Finds both. What was found before is forgotten.
void bind_sharing(BoundStudy& study);

// A measurement of one of the statistics.
struct PlaceOf {
  const BoundStatistic& statistic;
  std::size_t measurement;

  const Measurement& one() const { return statistic.measurements[measurement]; }
  operator Measured() const { return measured_at(statistic, measurement); }
};

// Whether two measurements are alike in kind, grid and width, so that their exact integers are the same where their
// statistics have the same rows, limits and expressions: a number of rows is a number of units where one row of a unit
// counts. Ends of quantiles must be chosen for one level; `alpha` is that of the study.
bool is_alike(const PlaceOf& a, const PlaceOf& b, Alpha alpha);

// Whether two measurements can be charged as one, given that no row is in both: what one unit moves is the same, and so
// is the kind of noise. Only where every row is a unit, and keys are public.
bool can_be_parallel(const PlaceOf& a, const PlaceOf& b);

// How many measurements of rows that exclude each other one unit can move: under replace its row may leave one of them
// and enter another.
std::int64_t moved_at_once(privacy::Neighbours neighbours);

// What is charged, item by item, in the order in which they are met: for each measurement of each statistic the place
// of its item. What has a source, what is copied, and what excludes others has the item of the first of them.
std::vector<std::vector<std::size_t>> items_by_place(const BoundStudy& study);

}  // namespace vernier::plan
