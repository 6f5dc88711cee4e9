#pragma once

#include <cstddef>
#include <functional>

namespace vernier::query {

// Runs the work in a thread with stack enough for a recursion of toml++ that goes `depth` levels beyond its own limit;
// false, and nothing was run, where there is no memory for it. The work must not throw. A level was measured to take
// less than 320 bytes (100,000 levels in 32 MB); 1 KiB is reserved, and memory that is not touched is not taken.
bool on_deep_stack(std::size_t depth, const std::function<void()>& work);

}  // namespace vernier::query
