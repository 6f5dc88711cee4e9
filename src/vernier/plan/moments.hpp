#pragma once

#include <cstdint>

#include "vernier/interval/linear.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/plan/bound_study.hpp"

// Node sums, by which means, variances and what follows from them are measured.
namespace vernier::plan {

// Of the nodes for moments over values from 0 to `steps` (interval/variance.md): the weight of a row, steps * fineness,
// is steps^2 or a multiple where that fits, else as large as fits into sums of 62 bits, into a shift of 2^26 and,
// squared by the engine, into 64 bits; the fineness is at least 1.
std::int64_t moment_fineness(std::int64_t steps, std::int64_t row_limit, std::int64_t max_rows);

// Whether it is measured by node sums: two of a mean, three of moments.
constexpr bool has_nodes(MeasurementKind kind) {
  return kind == MeasurementKind::mean || kind == MeasurementKind::moments;
}

// Of a measurement that has them.
Result<interval::MeanNodes> nodes_of(const Measurement& measurement);

// What may be published from node sums of this kind: counts and sums always, spreads from moments alone.
bool can_show(MeasurementKind kind, Figure figure);

// A count or a sum that is made from node sums: its form in them, where it can lie, and what a unit of it is worth.
struct LinearFigure {
  interval::LinearForm form;
  interval::PossibleRange possible;
  double granularity;
};
Result<LinearFigure> linear_figure(const Measurement& measurement, const interval::MeanNodes& nodes);

}  // namespace vernier::plan
