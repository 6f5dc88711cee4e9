#pragma once

#include <cstdint>
#include <string>

namespace vernier::cli {

// Seconds since 1970 as "2026-11-15T18:30:00Z".
std::string utc_text(std::int64_t seconds);

}  // namespace vernier::cli
