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

// Each method of composition applied to a list of events. None where it does not apply, an error where it does and has
// no answer at this delta.
namespace vernier::accounting::method {

// A finite upper bound of epsilon at delta, or of delta at epsilon.
using Upper = std::optional<double>;

// The least epsilon at delta 0: the greatest loss of all. An error where a loss may exceed every bound.
Result<Bounds> pure_epsilon(std::span<const Event> events);

Upper basic_epsilon(std::span<const Event> events, double delta);
Upper basic_delta(std::span<const Event> events, double epsilon);
Upper advanced_epsilon(std::span<const Event> events, double delta);
Upper advanced_delta(std::span<const Event> events, double epsilon);
Upper zcdp_epsilon(std::span<const Event> events, double delta);
Upper zcdp_delta(std::span<const Event> events, double epsilon);
Upper rdp_epsilon(std::span<const Event> events, double delta);
Upper rdp_delta(std::span<const Event> events, double epsilon);

// The optimal composition of the events' statements: from both sides where the events are their statements.
std::optional<Result<Bounds>> optimal_epsilon(std::span<const Event> events, double delta);
std::optional<Bounds> optimal_delta(std::span<const Event> events, double epsilon);

// The law of the summed loss: the greater of both directions.
Result<Bounds> loss_epsilon(std::span<const Event> events, double delta, double tightness);
Result<Bounds> loss_delta(std::span<const Event> events, double epsilon, double tightness);

}  // namespace vernier::accounting::method
