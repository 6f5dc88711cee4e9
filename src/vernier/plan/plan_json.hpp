#pragma once

#include "vernier/core/json_writer.hpp"
#include "vernier/plan/plan.hpp"

// What the JSON of a plan and that of a release have in common.
namespace vernier::plan {

// unit, neighbours, guarantee
void write_protection(JsonWriter& json, const Plan& plan);

// keys: the names of the key columns
void write_key_names(JsonWriter& json, const query::Query& query);

// releases of the statistic at this place: one for every vector of numbers that gets noise. Scale and sensitivity are
// in steps of the grid, which are worth `granularity`; a column of null serves the keys alone.
void write_releases(JsonWriter& json, const Plan& plan, std::size_t place);

}  // namespace vernier::plan
