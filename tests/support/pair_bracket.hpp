#pragma once

#include <optional>
#include <span>

#include "support/exact_reference.hpp"
#include "vernier/accounting/event.hpp"

namespace vernier::test {

// The exact delta of a few releases of whatever scales lies between: all sums of two laws of atoms, sorted, and groups
// of neighbours that are spread to their ends, or merged, so that about `atoms` are left; in the worse direction. About
// `delta` the tails lose nothing that counts. None where an event has no cells (loss_cells.hpp), or too many releases.
std::optional<Reference> pair_bracket(std::span<const accounting::Event> events, double delta, int atoms);

}  // namespace vernier::test
