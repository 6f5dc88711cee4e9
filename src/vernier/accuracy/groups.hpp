#pragma once

#include <span>

#include "vernier/accuracy/accuracy.hpp"

namespace vernier::accuracy {

// Cells that share a law.
template <class Law>
struct Group {
  Law law;
  Cells cells;
};

// The accuracy that all cells of all groups keep together: the least a with
//     sum of cells * log(1 - Pr[abs(noise) > a])  >=  log(1 - alpha).
// The noise of the cells must be independent. For the laws of this room.
template <class Law>
Result<Statement> of(std::span<const Group<Law>> groups, Alpha alpha);

extern template Result<Statement> of(std::span<const Group<noise::Laplace>>, Alpha);
extern template Result<Statement> of(std::span<const Group<noise::Geometric>>, Alpha);
extern template Result<Statement> of(std::span<const Group<noise::Gaussian>>, Alpha);
extern template Result<Statement> of(std::span<const Group<noise::DiscreteGaussian>>, Alpha);

}  // namespace vernier::accuracy
