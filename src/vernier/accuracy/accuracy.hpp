#pragma once

#include <span>

#include "vernier/accuracy/parameters.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/laplace.hpp"

// From a law to the accuracy of what is released with it, and back to the scale. Y is abs(noise); with several cells it
// is the greatest of them, exactly, not by a union bound.
namespace vernier::accuracy {

struct Statement {
  double accuracy;  // the least a with Pr[Y > a] <= alpha: released +- a, ends included, covers (documents of 2020)
  double accuracy_strict;      // the least a with Pr[Y >= a] <= alpha (document of 2022); one more for integer noise
  double accuracy_continuous;  // the documents' figure before the ceiling; for real noise the accuracy itself
};

// Exact integers for the integer laws; rounded up, within 1e-12 relative, for the real ones.
Result<Statement> of(const noise::Laplace& law, Alpha alpha, Cells cells);
Result<Statement> of(const noise::Geometric& law, Alpha alpha, Cells cells);
Result<Statement> of(const noise::Gaussian& law, Alpha alpha, Cells cells);
Result<Statement> of(const noise::DiscreteGaussian& law, Alpha alpha, Cells cells);

// The law of the largest scale whose accuracy is at most the one wanted, the scale rounded down.
Result<noise::Laplace> laplace_for(Accuracy accuracy, Alpha alpha, Cells cells);
Result<noise::Geometric> geometric_for(Accuracy accuracy, Alpha alpha, Cells cells);
Result<noise::Gaussian> gaussian_for(Accuracy accuracy, Alpha alpha, Cells cells);
Result<noise::DiscreteGaussian> discrete_gaussian_for(Accuracy accuracy, Alpha alpha, Cells cells);

// ---- between the whole numbers: P[abs(X) >= a] of geometric noise is 2 q^a / (1 + q) at the whole a from 1 on, with q
// = exp(-1/scale), and that curve goes on between them. OpenDP's accuracies of this noise are points of it.

// The real a at which the curve is alpha, rounded up within 1e-12 relative. accuracy_strict is the next whole number.
Result<double> between(const noise::Geometric& law, Alpha alpha);

// The law of the largest scale for which that a is at most the one wanted, the scale rounded down. 0 is refused.
Result<noise::Geometric> geometric_between(Accuracy accuracy, Alpha alpha);

// ---- cells of several laws together

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
