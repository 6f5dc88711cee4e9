#pragma once

#include "vernier/core/types.hpp"
#include "vernier/table/contrast.hpp"
#include "vernier/table/noise.hpp"

// How far the rows of a file are from the protected ones, over all cells of all tables, from noisy contrasts of the
// protected rows that the maker of the file has never seen. synthetic.md.
namespace vernier::table {

// The root of the mean, over all cells of all tables, of the squared difference of two counts: of the file's rows,
// brought to the noisy number of protected rows, and of the protected ones.
struct FileDistance {
  double value;
  double low, high;  // it lies between them, but for alpha
  double rows;       // the noisy number of the protected rows
};

// Which of the file's rows are in each cell of all columns, by the places of their keys.
FileDistance distance_of(const Lattice& lattice, const Laws& laws, const Noisy& noisy, const CountedRows& file,
                         Alpha alpha);

// What of a file that is exactly as the protected rows would be told, about: a file that is as far cannot be told from
// one without error. Known before there are data.
double distance_limit(const Lattice& lattice, const Laws& laws, Alpha alpha);

}  // namespace vernier::table
