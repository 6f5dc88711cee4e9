#pragma once

#include <cstdint>

#include "cli/stated_event.hpp"
#include "vernier/accounting/event.hpp"

namespace vernier::cli {

// Which end of the answer an event is for: its decimals are rounded to the doubles of worse privacy for the upper end,
// and to those of better privacy for the lower one.
enum class End : std::uint8_t { upper, lower };

// The event with its numbers rounded for an end, and with this scale where its own is open. The scale of discrete
// Gaussian noise and that of key selection are taken as the nearest double, since neither is always the more private
// the larger it is.
Result<accounting::Event> event_for(End end, const StatedEvent& stated, double open_scale);

}  // namespace vernier::cli
