#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vernier/random/wipe.hpp"
#include "vernier/table/lattice.hpp"

// From counted rows to the contrasts of every residual, and from noisy ones back to tables. Cells of a set of columns
// are numbered with its last column running fastest. table.md has the formulas.
namespace vernier::table {

// Groups of rows: code c of group g is codes[g * columns + c], the place of its key among those of column c.
struct CountedRows {
  random::Wiped<std::uint32_t> codes;
  random::Wiped<std::uint64_t> rows;  // of each group
};

// Integers of each residual's cells. Exact ones are modulo 2^64: with noise added to them they are a function of the
// noisy ones, so that no number of rows makes them less private.
using Exact = std::vector<random::Wiped<std::uint64_t>>;
using Noisy = std::vector<std::vector<std::int64_t>>;

// n x - (sum of x) along every axis of an array of this shape, in place.
void contrast(std::span<std::uint64_t> cells, std::span<const std::int64_t> shape);

// The contrasts of all residuals, all of the same rows.
Exact contrasts_of(const Lattice& lattice, const CountedRows& rows);

__extension__ using Wide = __int128;

// The estimates of a table's cells: each times the square of the table's number of cells is this whole number, exactly.
std::vector<Wide> numerators_of(const Lattice& lattice, std::size_t table, const Noisy& noisy);

// What is published of a cell.
struct Cell {
  double estimate;  // unbiased; may be negative
  std::int64_t value, low,
      high;  // whole, between 0 and the row limit; the interval holds the exact count but for alpha
};
Cell cell_of(Wide numerator, std::int64_t cells, double reach, std::int64_t row_limit);

}  // namespace vernier::table
