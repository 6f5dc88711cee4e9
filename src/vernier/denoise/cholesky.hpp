#pragma once

#include <cstddef>
#include <vector>

namespace vernier::denoise {

// A square matrix, row by row.
struct Square {
  explicit Square(std::size_t n) : size(n), entries(n * n, 0.0) {}
  double& at(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  double at(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
  std::size_t size;
  std::vector<double> entries;
};

// The inverse of a symmetric matrix all of whose eigenvalues are positive, by Cholesky's factors. What rounding does to
// it costs the estimates a little of their accuracy and their intervals nothing: consistent.md.
Square inverse_of(Square matrix);

}  // namespace vernier::denoise
