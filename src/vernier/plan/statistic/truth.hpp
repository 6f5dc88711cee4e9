#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/interval/statement.hpp"
#include "vernier/plan/bound_study.hpp"

// What statistics are of rows that are known, for whoever simulates releases and asks whether their intervals hold.
namespace vernier::plan {

// Of pairs: a step is k (steps of y + 1) + l, of x at k and y at l steps above their lower bounds.
struct KnownPair {
  std::int64_t y_steps;
  double x_lower, x_granularity;
  double y_lower, y_granularity;
};

// Rows on the grid of their column.
struct KnownRows {
  std::span<const std::int64_t> steps;    // the values that occur, ascending, in steps above the lower bound
  std::span<const std::uint32_t> places;  // of each row its place among them
  std::int64_t origin;                    // the lower bound, in steps
  std::int64_t range;                     // the upper bound, in steps above it
  double granularity;
  bool is_sample;  // else they are all of a population: its variance is divided by its size
  std::optional<KnownPair> pair = {};

  double value_of(std::uint32_t place) const { return static_cast<double>(origin + steps[place]) * granularity; }
  double lower() const { return static_cast<double>(origin) * granularity; }
  double upper() const { return static_cast<double>(origin + range) * granularity; }
};

// What an interval has to hold: one value, or every one of a stretch, as quantiles are where the fraction falls between
// two rows.
struct Truth {
  double least, greatest;

  // Both, but for the rounding of doubles: 2^-40 of the sizes that are compared.
  bool is_in(const interval::Interval& interval) const;
};

// Count, sum, mean, variance or deviation; none where it is not defined.
std::optional<Truth> node_truth(const Figure& figure, const KnownRows& rows);

// The values at these ranks, counted from 1.
Truth value_at_ranks(const KnownRows& rows, std::int64_t least, std::int64_t greatest);

}  // namespace vernier::plan
