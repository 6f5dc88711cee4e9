#pragma once

#include "vernier/accuracy/parameters.hpp"
#include "vernier/privacy/parameters.hpp"

// From an accuracy to the budget of integer noise, where a whole range of epsilons has the same accuracy ("Geometric
// Mechanism Accuracy", 2020, section 0.1).
namespace vernier::accuracy {

// The least epsilon of the geometric mechanism whose exact accuracy is at most the one wanted: the scale is rounded
// down, and epsilon is that of the scale so found.
Result<Bounds> geometric_epsilon(Accuracy accuracy, Alpha alpha, Cells cells, privacy::Delta delta,
                                 privacy::IntegerSensitivity sensitivity);

// The document's, from the accuracy of Laplace noise: (sensitivity / a) ln(1 / alpha), with alpha that of one cell.
// Larger than the exact one.
Result<Bounds> geometric_epsilon_continuous(Accuracy accuracy, Alpha alpha, Cells cells,
                                            privacy::IntegerSensitivity sensitivity);

}  // namespace vernier::accuracy
