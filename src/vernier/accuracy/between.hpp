#pragma once

#include "vernier/accuracy/parameters.hpp"
#include "vernier/noise/geometric.hpp"

// Between the whole numbers: P[abs(X) >= a] of geometric noise is 2 q^a / (1 + q) at the whole a from 1 on, with q =
// exp(-1/scale), and that curve goes on between them. OpenDP's accuracies of this noise are points of it.
namespace vernier::accuracy {

// The real a at which the curve is alpha, rounded up within 1e-12 relative. accuracy_strict is the next whole number.
Result<double> between(const noise::Geometric& law, Alpha alpha);

// The law of the largest scale for which that a is at most the one wanted, the scale rounded down. 0 is refused.
Result<noise::Geometric> geometric_between(Accuracy accuracy, Alpha alpha);

}  // namespace vernier::accuracy
