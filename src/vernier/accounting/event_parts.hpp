#pragma once

#include <span>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/loss_law.hpp"

// Events as loss laws.
namespace vernier::accounting {

// Most releases have one loss law. A zCDP statement has two: one that is worse than every release with it, for the
// upper end, and that of Gaussian noise, which is one of them, for the lower end. So has a choice, of any candidates or
// of two, and key selection: keys may escape, or all are known beforehand. accountant.md.
enum class End : std::uint8_t { upper, lower };

// The parts of the sum, in one direction. Equal events are counted together, and Gaussians, which compose exactly, are
// one part, and so are zCDP statements, whose law is true to them down to `least_delta`. An error where a
// release is outside of what is certified.
Result<std::vector<LossPart>> parts_of(std::span<const Event> events, Direction direction, End end, double least_delta);

// Whether both directions have the same laws: so where nothing is sampled.
bool is_symmetric(std::span<const Event> events);

// Whether both ends have the same laws: so without zCDP statements, choices and key selection.
bool is_exact(std::span<const Event> events);

}  // namespace vernier::accounting
