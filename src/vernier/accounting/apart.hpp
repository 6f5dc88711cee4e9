#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vernier/accounting/event.hpp"
#include "vernier/core/types.hpp"

namespace vernier::accounting {

enum class Figure : std::uint8_t { epsilon, delta };

// From how far apart, relatively to the upper end, the two ends of an answer need a reason.
inline constexpr double loose = 1e-3;

// Figures from here down are not told apart from 0 any further.
inline constexpr double least_epsilon_told = 1e-9, least_delta_told = 1e-250;

// Why the ends of an answer of an accountant are further apart than that, as a sentence; none where they are not.
std::optional<std::string_view> why_apart(const Bounds& bounds, Figure figure, std::span<const Event> events);

}  // namespace vernier::accounting
