#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/loss_law.hpp"

// The privacy of a list of events from laws of finitely many losses, added pair by pair: for few releases, of whatever
// scales, where a Fourier inversion would need too many frequencies. cells.md has the proofs.
namespace vernier::accounting::cells {

enum class Effort : std::uint8_t { quick, thorough };  // some tens, and some hundreds of milliseconds at most

// The least epsilon at a delta above 0, in one direction. None where a release is not cut into cells, or the work would
// be too much; an upper end is infinite where none is proven.
std::optional<Bounds> epsilon(std::span<const Event> events, Direction direction, double delta, Effort effort);

// The least delta at an epsilon, likewise.
std::optional<Bounds> delta(std::span<const Event> events, Direction direction, double epsilon, Effort effort);

}  // namespace vernier::accounting::cells
