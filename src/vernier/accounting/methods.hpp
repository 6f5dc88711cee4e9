#pragma once

#include <optional>
#include <span>

#include "vernier/accounting/event.hpp"
#include "vernier/core/types.hpp"

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
