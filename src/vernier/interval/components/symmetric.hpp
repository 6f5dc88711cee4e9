#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "vernier/interval/regression/moments.hpp"

// Symmetric matrices of a few columns.
namespace vernier::interval {

struct Symmetric {
  std::size_t width = 0;
  std::array<std::array<double, most_moment_columns>, most_moment_columns> at{};

  static Symmetric multiple_of_identity(std::size_t width, double factor);

  void add(const Symmetric& other, double factor);
  double length() const;  // the root of the sum of all squares: no eigenvalue is greater
  double trace() const;
};
Symmetric square_of(const Symmetric& a);  // a a, rounded to the nearest

// The greatest first, each within `error` of the true one.
struct Eigenvalues {
  std::vector<double> values;
  double error;
};
Eigenvalues eigenvalues_of(Symmetric a);

}  // namespace vernier::interval
