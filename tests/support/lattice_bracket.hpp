#pragma once

#include <optional>
#include <span>

#include "support/exact_reference.hpp"
#include "support/lattice_loss.hpp"

namespace vernier::test {

// All events on one lattice whose window loses nothing that counts about `delta`, in the direction `remove`.
LatticeLoss composed_on_lattice(std::span<const accounting::Event> events, double delta, long reach, Rounding rounding);

// The exact delta lies between the lattice of averages and the lattice of chords, each with its error of rounding;
// about `delta` the window loses nothing that counts. None where an event has no cells.
std::optional<Reference> lattice_bracket(std::span<const accounting::Event> events, double delta, long reach);

}  // namespace vernier::test
