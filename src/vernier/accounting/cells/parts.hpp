#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vernier/accounting/cells/discrete_loss.hpp"
#include "vernier/accounting/event.hpp"
#include "vernier/accounting/methods.hpp"

// A list of events as laws of finitely many losses.
namespace vernier::accounting::cells {

// So many releases of one law.
struct Part {
  DiscreteLoss law;
  double times;
};

// The laws for both ends.
struct Both {
  std::vector<Part> above;
  std::vector<Part> below;
  bool are_alike;  // else the ends differ by more than the cells
};

// For one end.
std::optional<std::vector<Part>> cut(std::span<const Event> events, Direction direction, End end, double least);

// Cut at tails of this mass; none where an event cannot be.
std::optional<Both> cut_for_both(std::span<const Event> events, Direction direction, double least);

}  // namespace vernier::accounting::cells
