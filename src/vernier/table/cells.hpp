#pragma once

#include <cstdint>
#include <vector>

#include "vernier/table/contrast.hpp"

namespace vernier::table {

// What is published of every cell of a table, in the order of its cells: `cell_of` of its numerators, in words of 64
// bits wherever the noisy contrasts are so small that nothing can leave them.
std::vector<Cell> cells_of(const Lattice& lattice, std::size_t table, const Noisy& noisy, double reach,
                           std::int64_t row_limit);

}  // namespace vernier::table
