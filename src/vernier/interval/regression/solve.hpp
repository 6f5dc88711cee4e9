#pragma once

#include <optional>
#include <vector>

#include "vernier/interval/regression/moments.hpp"

// Linear equations of a few unknowns whose solution is bounded, however the inverse was found: regression.md,
// "Numerical error".
namespace vernier::interval {

// About the inverse of the rows and columns `at` of a matrix.
struct Inverse {
  std::vector<std::size_t> at;
  std::array<Place, most_moment_columns + 1> about{};
  double off = 0;  // ‖I - about M‖, from above, below 2^-10

  Place times(const Place& column) const;  // about
  Place bound(const Place& sizes) const;   // of the inverse times any vector up to these sizes, from above

  // By how much M v misses 0 in the rows `at`, from above.
  Place errors(const MomentMatrix& matrix, const Place& v) const;
};

// None where it is too near to one without an inverse.
std::optional<Inverse> inverse_of(const MomentMatrix& matrix, const std::vector<std::size_t>& at);

}  // namespace vernier::interval
