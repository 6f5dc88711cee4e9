#pragma once

#include "vernier/plan/bound_study.hpp"

// A column of a relation on its grid, and what its values are there for the engine: whole numbers of steps above the
// lower bound, and Bernstein's squares of them.
namespace vernier::plan {

// At the finest steps that its bounds and its granularity allow; a column of one value has a step that no row takes.
// The subject of an error, the column, is for the caller to add.
Result<PairedGrid> finest_grid(const query::Expression& x, const query::Table& table);

// The same column in steps of twice the size; none where three steps are too many already.
std::optional<PairedGrid> coarser(const query::Expression& x, const PairedGrid& grid);

// floor(x / granularity + 1/2) - origin, from 0 to the steps.
Result<query::Expression> steps_of(const query::Expression& x, const PairedGrid& grid);

// What a row adds to node `i` of a column: (K-k)^2, 2k(K-k) or k^2.
Result<query::Expression> node_of(const query::Expression& k, std::int64_t steps, std::size_t i);

}  // namespace vernier::plan
