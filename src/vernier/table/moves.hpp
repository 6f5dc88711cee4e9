#pragma once

#include <cstdint>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/table/noise.hpp"

// How far one unit can move all contrasts together where its rows may be any, and what that gives away. table.md has
// the proofs, "Rows that may be any".
namespace vernier::table {

// What one unit gives away that has so many rows: a Gaussian number that moves as far as all contrasts together do, in
// their own deviations, and a chance of `leak` that everything is known; or, where scales are so small that this is
// dearer, the zCDP of it.
inline constexpr double leak = 0x1p-90;
Result<std::vector<accounting::Event>> events_of_any_rows(const Lattice& lattice, const Laws& laws,
                                                          privacy::Neighbours neighbours, std::int64_t rows);

// What one unit gives away of which so many rows count at most: of one row that comes or goes the list of its moves.
Result<std::vector<accounting::Event>> events_of_unit(const Lattice& lattice, const Laws& laws,
                                                      privacy::Neighbours neighbours, std::int64_t rows);

// The square of the deviation of the rounding by which so many integers are made of Gaussian numbers, for that leak.
double squared_rounding(double integers);

}  // namespace vernier::table
