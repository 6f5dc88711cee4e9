#pragma once

#include <array>
#include <string>
#include <vector>

#include "support/choice_chances.hpp"
#include "vernier/plan/plan.hpp"

// Draws of released numbers, in cells of known chance.
namespace vernier::testing {

// The draws of one released number: the cell in which each lies, and what the plan's law, or one of another scale, says
// of the cells.
struct Drawn {
  std::string name;
  std::vector<std::size_t> cells;
  std::vector<double> planned, smaller, larger;  // probabilities: at the scale, at 0.9 and at 1.1 times the scale
};

// The same law at another scale.
inline noise::Geometric rescaled(const noise::Geometric& law, double factor) {
  return *noise::Geometric::of(*LaplaceScale::of(law.scale() * factor));
}
inline noise::DiscreteGaussian rescaled(const noise::DiscreteGaussian& law, double factor) {
  return *noise::DiscreteGaussian::of(*Sigma::of(law.scale() * factor));
}

// Of numbers with additive noise.
Drawn additive_drawn(const std::string& name, const plan::AdditiveLaw& law, const std::vector<std::int64_t>& noise);

// Of chosen points, whose chances at the scale, at 0.9 and at 1.1 times the scale are given. Two looks: by how likely
// the points are, which knows the scale; and by where the first of them lies that is drawn.
std::vector<Drawn> chosen_drawn(const std::string& name, const std::array<Chances, 3>& chances,
                                const std::vector<Points>& draws);

// Every second draw, with the one behind it.
inline std::vector<std::size_t> every_second(const std::vector<std::size_t>& all, std::size_t from) {
  std::vector<std::size_t> some;
  for (std::size_t i = from; i < all.size(); i += 2) some.push_back(all[i]);
  return some;
}

}  // namespace vernier::testing
