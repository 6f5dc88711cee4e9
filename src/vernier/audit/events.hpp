#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "vernier/audit/guesses.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Draws against the exact mass of their law, by events that were fixed before any draw was seen.
namespace vernier::audit {

// Something that may happen to a draw: its exact chance, and how often it did.
struct Event {
  Bounds chance;
  std::int64_t hits = 0;
};

// The level at which so many trials speak against the chances of all events together: the least surprise, times the
// number of events (Bonferroni). Never above 1.
double surprise(std::span<const Event> events, std::int64_t trials);

using IntegerLaw = std::variant<noise::Geometric, noise::DiscreteGaussian>;

// How often each integer was drawn.
using Drawn = std::map<std::int64_t, std::int64_t>;
std::int64_t number_of(const Drawn& drawn);

// Runs of integers between quantiles of the law, and integers further than some distance from 0: the first see a wrong
// shape, the others a wrong scale.
std::vector<Event> events_of(const IntegerLaw& law, const Drawn& drawn);

// Likewise of a law over a few outcomes.
using Masses = std::map<std::vector<std::int64_t>, Bounds>;
using Outcomes = std::map<std::vector<std::int64_t>, std::int64_t>;
std::vector<Event> events_of(const Masses& masses, const Outcomes& drawn);

// The least of some parts by which a scale may be too small so that `trials` draws surely show it at `level`; none
// where even half of the scale would pass.
std::optional<double> least_part_found(const IntegerLaw& law, std::int64_t trials, double level);

// The chance that two independent draws are the same integer; of wide laws from above alone.
Bounds chance_of_equality(const IntegerLaw& law);

}  // namespace vernier::audit
