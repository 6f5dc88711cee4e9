#pragma once

#include <cstddef>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/stated_event.hpp"

namespace vernier::cli {

inline constexpr std::size_t most_events = 1'000'000;

// The events of --event and then those of the file of --events: one a line, where # begins a comment. At least one; an
// error names the event, or its file and line.
Result<std::vector<StatedEvent>> events_of(const Arguments& arguments, privacy::Neighbours neighbours);

}  // namespace vernier::cli
