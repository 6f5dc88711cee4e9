#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"

// Arguments of weighted rows.
namespace vernier::plan {

// The integer of a row times its weight, a BIGINT within the argument's steps, or NULL where one of both is.
std::string weighted_argument(const Argument& argument, bool functions);

// What it is the product of; itself, where it has no weight.
std::vector<Argument> parts_of(const Argument& argument);

}  // namespace vernier::plan
