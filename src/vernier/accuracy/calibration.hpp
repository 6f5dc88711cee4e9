#pragma once

#include <optional>
#include <variant>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/parameters.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/privacy/parameters.hpp"

// From what is known of a release to the rest: scale, budget and accuracy.
namespace vernier::accuracy {

// ---- from an accuracy to the budget of integer noise, where a whole range of epsilons has the same accuracy
// ("Geometric Mechanism Accuracy", 2020, section 0.1)

// The least epsilon of the geometric mechanism whose exact accuracy is at most the one wanted: the scale is rounded
// down, and epsilon is that of the scale so found.
Result<Bounds> geometric_epsilon(Accuracy accuracy, Alpha alpha, Cells cells, privacy::Delta delta,
                                 privacy::IntegerSensitivity sensitivity);

// The document's, from the accuracy of Laplace noise: (sensitivity / a) ln(1 / alpha), with alpha that of one cell.
// Larger than the exact one.
Result<Bounds> geometric_epsilon_continuous(Accuracy accuracy, Alpha alpha, Cells cells,
                                            privacy::IntegerSensitivity sensitivity);

// ---- the two-way question for a mechanism that is known at run time only

// A mechanism whose scale is still open.
struct LaplaceFamily {
  privacy::L1Sensitivity sensitivity;
};
struct GeometricFamily {
  privacy::IntegerSensitivity sensitivity;
};
struct GaussianFamily {
  privacy::L2Sensitivity sensitivity;
  mechanism::GaussianCalibration calibration = mechanism::GaussianCalibration::analytic;  // of a budget
};
struct DiscreteGaussianFamily {
  privacy::IntegerSensitivity sensitivity;
};
using Family = std::variant<LaplaceFamily, GeometricFamily, GaussianFamily, DiscreteGaussianFamily>;

// What may be known. A scale is any number; the law checks it. Without a delta there is no epsilon, only the accuracy.
struct Budget {
  privacy::Epsilon epsilon;
  privacy::Delta delta;
};
struct ScaleAtDelta {
  double scale;
  std::optional<privacy::Delta> delta;
};
struct ScaleAtEpsilon {
  double scale;
  privacy::Epsilon epsilon;
};
struct Target {
  Accuracy accuracy;
  std::optional<privacy::Delta> delta;
};
using Known = std::variant<Budget, ScaleAtDelta, ScaleAtEpsilon, Target>;

// All figures of a release. What was known stands as it was given; what was found is rounded toward safety: the scale
// up from a budget and down from an accuracy, epsilon, delta and rho up, each for the very double of the scale.
struct Figures {
  double scale;
  std::optional<double> epsilon;  // none where no delta was given
  std::optional<double> delta;
  std::optional<double> rho;  // none for laplace and geometric, whose own statement is pure
  Statement accuracy;
  double standard_deviation;                 // of the noise, never 0
  std::optional<double> epsilon_continuous;  // the document's, for geometric noise asked by an accuracy above 0
};

Result<Figures> calibrate(const Family& family, const Known& known, Alpha alpha, Cells cells);

}  // namespace vernier::accuracy
