#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "support/exact_reference.hpp"

namespace vernier::test {

// A release whose loss takes equally spaced values.
struct LatticeRelease {
  enum class Kind : std::uint8_t { geometric, discrete_gaussian, response };
  Kind kind;
  double scale;  // of the noise; for a response, unused
  long sensitivity;
  Response response;
  long times;
};

// Their composition: each law to its power by multiplication of polynomials in balls, equal lattices multiplied too,
// and every sum of the others enumerated. Masses of discrete Gaussian noise are left out, and their sum is added to the
// upper end, where all of them together are below `least`.
Reference exact_lattice(std::vector<LatticeRelease> releases, double least, Side side = Side::remove);

}  // namespace vernier::test
