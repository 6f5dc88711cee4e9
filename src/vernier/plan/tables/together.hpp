#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/plan/plan.hpp"

namespace vernier::plan {

// Two [[table]]s of the same rows measure twice what they share. Where one with the tables of both would be cheaper at
// the same accuracies, a sentence about them.
std::vector<std::string> notes_on_shared_rows(const Plan& plan);

// The part of their squared costs that one lattice of all tables of both takes, at the variances that each of them has.
// None where they have no lattice together.
std::optional<double> cost_together(const BoundTables& a, const PlannedTables& planned_a, const BoundTables& b,
                                    const PlannedTables& planned_b);

}  // namespace vernier::plan
