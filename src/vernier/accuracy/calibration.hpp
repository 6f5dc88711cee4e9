#pragma once

#include <optional>
#include <variant>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/privacy/parameters.hpp"

// The two-way question for a mechanism that is known at run time only: state what is known of a release, get the rest.
namespace vernier::accuracy {

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
