#pragma once

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

}  // namespace vernier::accuracy
