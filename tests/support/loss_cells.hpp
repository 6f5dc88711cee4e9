#pragma once

#include <vector>

#include "support/exact_reference.hpp"
#include "vernier/accounting/event.hpp"

namespace vernier::test {

// A piece of the outcomes of one release: its chance under P and under Q, and the losses that occur in it. P alone sees
// it where q is 0 (an infinite loss).
struct LossCell {
  long double p;
  long double q;
  long double lowest;
  long double highest;
  bool is_cut = false;  // p and q are only bounds of the masses; nothing may be claimed from this cell being there
};

// The cells of one release of an event, in one direction, from the densities written out in long double: masses within
// 1e-16 relatively, losses within 1e-16 and their rounding. Noise is cut into at least `count` pieces; beyond outcomes
// of chance `least` there is one cell on each side. None for what is known by zCDP only, and for key selection.
std::vector<LossCell> loss_cells(const accounting::Event& event, Side side, int count, double least);

}  // namespace vernier::test
