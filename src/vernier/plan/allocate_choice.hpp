#pragma once

#include "vernier/plan/allocate_price.hpp"

// Geometric or discrete Gaussian noise for each item, by what the whole costs. allocate.md says what is tried and why.
namespace vernier::plan {

Choice all_of(LawKind kind, std::size_t items);

// Choices that are worth a try at this factor, the plain ones first. Equal items get equal laws.
std::vector<Choice> candidates(const Pricing& pricing, double factor);

// The candidate of least epsilon at this factor; the first of those that are equal within a thousandth.
Choice cheapest(const Pricing& pricing, double factor);

// The choice that needs the least factor for this epsilon, and that factor; looked for from a first choice on.
struct Allocation {
  Choice choice;
  double factor;
};
Result<Allocation> allocation(const Pricing& pricing, double epsilon, const Choice& first);

// The same for an epsilon near one whose allocation is known: only choices are tried in which the equal items of one
// kind change their law, or all items have the same. `guess` is about the factor.
Result<Allocation> nearby_allocation(const Pricing& pricing, double epsilon, const Choice& known, double guess);

}  // namespace vernier::plan
