#include "vernier/accuracy/budget.hpp"

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/threshold.hpp"
#include "vernier/mechanism/geometric.hpp"

namespace vernier::accuracy {

using mechanism::GeometricMechanism;
using numeric::Ball;
using privacy::Delta;
using privacy::IntegerSensitivity;

Result<Bounds> geometric_epsilon(Accuracy accuracy, Alpha alpha, Cells cells, Delta delta,
                                 IntegerSensitivity sensitivity) {
  return geometric_for(accuracy, alpha, cells)
      .and_then([](const noise::Geometric& law) { return LaplaceScale::of(law.scale()); })
      .and_then([&](LaplaceScale scale) { return GeometricMechanism::at_scale(scale, sensitivity); })
      .and_then([&](const GeometricMechanism& mechanism) { return mechanism.curve().epsilon(delta); });
}

Result<Bounds> geometric_epsilon_continuous(Accuracy accuracy, Alpha alpha, Cells cells,
                                            IntegerSensitivity sensitivity) {
  constexpr numeric::Precision precision{128};
  if (accuracy.value() == 0) {
    return invalid("accuracy 0 has no epsilon by the formula of Laplace noise; ask for an accuracy above 0");
  }
  const Ball points = -log(Threshold(alpha, cells).ball(precision));
  return (Ball::of(sensitivity.value(), precision) * points / Ball::of(accuracy.value(), precision)).bounds();
}

}  // namespace vernier::accuracy
