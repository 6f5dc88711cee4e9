#include "vernier/denoise/cholesky.hpp"

#include <cmath>
#include <numeric>

namespace vernier::denoise {
namespace {

// The product of the first `length` entries of two rows.
double product(const Square& a, std::size_t i, const Square& b, std::size_t j, std::size_t length) {
  const double *const x = &a.entries[i * a.size], *const y = &b.entries[j * b.size];
  return std::inner_product(x, x + length, y, 0.0);
}

// L with L L^T the matrix, in its lower half.
void factorise(Square& matrix) {
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix.at(i, j) = (matrix.at(i, j) - product(matrix, i, matrix, j, j)) / matrix.at(j, j);
    }
    matrix.at(i, i) = std::sqrt(matrix.at(i, i) - product(matrix, i, matrix, i, i));
  }
}

// The inverse of L, transposed: row j holds column j, so that rows meet rows.
Square transposed_inverse(const Square& lower) {
  Square columns(lower.size);
  for (std::size_t j = 0; j < lower.size; ++j) {
    columns.at(j, j) = 1 / lower.at(j, j);
    for (std::size_t i = j + 1; i < lower.size; ++i) {
      columns.at(j, i) = -product(lower, i, columns, j, i) / lower.at(i, i);
    }
  }
  return columns;
}

}  // namespace

Square inverse_of(Square matrix) {
  factorise(matrix);
  const Square columns = transposed_inverse(matrix);
  Square inverse(matrix.size);
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      inverse.at(i, j) = inverse.at(j, i) = product(columns, i, columns, j, matrix.size);
    }
  }
  return inverse;
}

}  // namespace vernier::denoise
