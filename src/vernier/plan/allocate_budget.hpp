#pragma once

#include "vernier/plan/bound_study.hpp"

// What a study may spend, and how sentences say it.
namespace vernier::plan {

// At this delta the total is stated: the study's own; without a budget of its own the usual one. Rounded down.
Result<privacy::Delta> delta_of(const BoundStudy& study);

// A tenth of the catalog's, rounded down.
Result<privacy::Delta> usual_delta(const numeric::Rational& catalog_delta);

// The total epsilon is not to exceed this: the study's own budget or else the catalog's, rounded down.
double ceiling_of(const BoundStudy& study);

// Refuses a study that asks for more than the catalog has.
Result<void> check_budget(const BoundStudy& study);

// "the budget has 1" or "the catalog has 3", and "delta 1e-07".
std::string described_ceiling(const BoundStudy& study);
std::string described_delta(const BoundStudy& study);

}  // namespace vernier::plan
