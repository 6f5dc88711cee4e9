#pragma once

#include "vernier/plan/allocate/price.hpp"

// Geometric or discrete Gaussian noise for each item, by what the whole costs. allocate.md says what is tried and why.
namespace vernier::plan {

// How much work a figure is worth: what is published is found to the last millionth; where ways are compared, about a
// thousandth is enough.
enum class Care : std::uint8_t { full, rough };
accounting::Tightness tightness_of(Care care);

// The least factor, within 1e-6 (1e-13 where the total has a closed form; 1e-4 if rough), at which the total is
// certified to be at most `epsilon`: at the factor that is returned it was seen to be, at one less than that below it
// not, or all noise is the least that the laws take there. An error where no scale that the laws take does.
Result<double> least_factor(const Pricing& pricing, const Choice& choice, double epsilon, double guess,
                            Care care = Care::full);

Choice all_of(LawKind kind, std::size_t items);

// Choices that are worth a try at this factor, the plain ones first. Equal items get equal laws.
std::vector<Choice> candidates(const Pricing& pricing, double factor);

// The candidate of least epsilon at this factor; the first of those that are equal within a thousandth.
Choice cheapest(const Pricing& pricing, double factor);

// The choice that needs the least factor for this epsilon, and that factor; looked for from `first` on, a choice and
// about its factor.
struct Allocation {
  Choice choice;
  double factor;
};
Result<Allocation> allocation(const Pricing& pricing, double epsilon, const Allocation& first, Care care = Care::full);

// The same for an epsilon near one whose allocation is known: only choices are tried in which the equal items of one
// kind change their law, or all items have the same. `guess` is about the factor.
Result<Allocation> nearby_allocation(const Pricing& pricing, double epsilon, const Choice& known, double guess);

}  // namespace vernier::plan
