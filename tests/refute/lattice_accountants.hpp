#pragma once

#include "support/composition_verdict.hpp"
#include "support/lattice_bracket.hpp"

// Accountants as others wrote them. Those that are wrong must be caught by the very check that the library passes.
namespace vernier::testing {

// Mutant 28, with Rounding::downward: a loss distribution on a grid whose losses are rounded to the point below.
// Rounded upward it is right, though far from tight.
test::AnyAccountant lattice_accountant(test::Rounding rounding);

// Mutant 29: equal statements composed by powers of a Fourier transform in doubles; what comes out negative is set to 0
// and forgotten. Its round-off, about 1e-17 in every mass, is larger than a small delta.
test::AnyAccountant clipping_accountant();

}  // namespace vernier::testing
