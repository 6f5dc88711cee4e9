#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "support/loss_cells.hpp"

// The classical way to compose: losses on a lattice, convolved term by term. Slow, and independent of the account.
namespace vernier::test {

struct Lattice {
  double step;
  long reach;
  double offset = 0;  // of its points i step + offset, i from -reach to reach; at most half a step
};

// The mass of each point, and that at infinity. Every mass is at least 0.
struct LatticeLoss {
  Lattice lattice;
  std::vector<double> masses;
  double infinite = 0;
};

// What becomes of losses that lie between two points of the lattice, or beyond its ends.
enum class Rounding : std::uint8_t {
  chords,    // each cell to the points around it with P and Q kept; beyond the end infinite: never less private
  averages,  // cells gathered so that their common ratio is that of a point; beyond the end left out: never more
             // private
  upward,    // each loss to the next point above: never less private, and far from tight
  downward,  // each loss to the next point below: wrong as an upper bound
};

LatticeLoss on_lattice(std::span<const LossCell> cells, const Lattice& lattice, Rounding rounding);
LatticeLoss convolved(const LatticeLoss& a, const LatticeLoss& b, Rounding rounding);
LatticeLoss power(LatticeLoss base, long times, Rounding rounding);

// delta at epsilon: sum of mass (1 - e^(epsilon - loss))+, and the infinite mass.
double delta_of(const LatticeLoss& loss, double epsilon);

}  // namespace vernier::test
