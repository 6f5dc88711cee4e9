#pragma once

#include <span>
#include <vector>

#include "vernier/accounting/event.hpp"

namespace vernier::accounting {

// The list with equal events counted together: sums of times beyond 1e9 stay apart. By first occurrence.
std::vector<Event> grouped(std::span<const Event> events);

}  // namespace vernier::accounting
