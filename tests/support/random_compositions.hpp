#pragma once

#include "support/composition_verdict.hpp"
#include "support/parameters.hpp"

// Compositions of all kinds, with scales over decades, whose exact delta is known or can be bracketed.
namespace vernier::test {

// delta from 1e-100 to 0.3.
double any_delta(Parameters& any);

// With an exact reference in balls.
Composition gaussian_list(Parameters& any);
Composition equal_responses(Parameters& any);      // pure and approximate statements, geometric noise; up to 1e6 times
Composition sampled_responses(Parameters& any);    // likewise, on samples from 1e-9 to 1 - 1e-9
Composition different_responses(Parameters& any);  // every sum enumerated
Composition geometric_lattice(Parameters& any);    // sensitivities above 1, several on one lattice
Composition discrete_gaussian_lattice(Parameters& any);
Composition one_sampled_release(Parameters& any);
Composition one_laplace(Parameters& any);

// With a lattice of losses: exact within 1e-9 where every loss is a point of it, else a bracket of a few per cent.
Composition long_lattice(Parameters& any);
Composition laplaces(Parameters& any);
Composition sampled_list(Parameters& any);
Composition mixed_list(Parameters& any);

}  // namespace vernier::test
