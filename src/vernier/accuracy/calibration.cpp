#include "vernier/accuracy/calibration.hpp"

#include <concepts>
#include <type_traits>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/parameters.hpp"
#include "vernier/mechanism/discrete_gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/laplace.hpp"
#include "vernier/noise/any_law.hpp"

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
    return invalid("accuracy 0 has no epsilon by the formula of Laplace noise", "ask for an accuracy above 0");
  }
  const Ball points = -log(Threshold(alpha, cells).ball(precision));
  return (Ball::of(sensitivity.value(), precision) * points / Ball::of(accuracy.value(), precision)).bounds();
}

namespace {

using mechanism::DiscreteGaussianMechanism;
using mechanism::GaussianMechanism;
using mechanism::LaplaceMechanism;

// What the families do each in their own way: the mechanism at a scale, for a budget, and the law for an accuracy.
Result<LaplaceMechanism> at_scale(const LaplaceFamily& family, double scale) {
  return LaplaceScale::of(scale).map([&](LaplaceScale s) { return LaplaceMechanism::at_scale(s, family.sensitivity); });
}
Result<GeometricMechanism> at_scale(const GeometricFamily& family, double scale) {
  return LaplaceScale::of(scale).and_then(
      [&](LaplaceScale s) { return GeometricMechanism::at_scale(s, family.sensitivity); });
}
Result<GaussianMechanism> at_scale(const GaussianFamily& family, double scale) {
  return Sigma::of(scale).map([&](Sigma s) { return GaussianMechanism::at_scale(s, family.sensitivity); });
}
Result<DiscreteGaussianMechanism> at_scale(const DiscreteGaussianFamily& family, double scale) {
  return Sigma::of(scale).and_then([&](Sigma s) { return DiscreteGaussianMechanism::at_scale(s, family.sensitivity); });
}

Result<LaplaceMechanism> within(const LaplaceFamily& family, const Budget& budget) {
  return LaplaceMechanism::calibrate(budget.epsilon, budget.delta, family.sensitivity);
}
Result<GeometricMechanism> within(const GeometricFamily& family, const Budget& budget) {
  return GeometricMechanism::calibrate(budget.epsilon, budget.delta, family.sensitivity);
}
Result<GaussianMechanism> within(const GaussianFamily& family, const Budget& budget) {
  return GaussianMechanism::calibrate(budget.epsilon, budget.delta, family.sensitivity, family.calibration);
}
Result<DiscreteGaussianMechanism> within(const DiscreteGaussianFamily& family, const Budget& budget) {
  return DiscreteGaussianMechanism::calibrate(budget.epsilon, budget.delta, family.sensitivity);
}

Result<noise::Laplace> law_for(const LaplaceFamily&, Accuracy a, Alpha alpha, Cells cells) {
  return laplace_for(a, alpha, cells);
}
Result<noise::Geometric> law_for(const GeometricFamily&, Accuracy a, Alpha alpha, Cells cells) {
  return geometric_for(a, alpha, cells);
}
Result<noise::Gaussian> law_for(const GaussianFamily&, Accuracy a, Alpha alpha, Cells cells) {
  return gaussian_for(a, alpha, cells);
}
Result<noise::DiscreteGaussian> law_for(const DiscreteGaussianFamily&, Accuracy a, Alpha alpha, Cells cells) {
  return discrete_gaussian_for(a, alpha, cells);
}

template <class Mechanism>
std::optional<double> rho(const Mechanism& mechanism) {
  if constexpr (requires { mechanism.rho(); }) {
    return mechanism.rho().upper;
  } else {
    return std::nullopt;
  }
}

// Answers one question; `Known` chooses the overload.
template <class Family>
struct Answer {
  const Family& family;
  Alpha alpha;
  Cells cells;

  template <class Mechanism>
  Result<Figures> figures(const Mechanism& mechanism, std::optional<double> epsilon,
                          std::optional<double> delta) const {
    const auto& law = mechanism.law();
    return of(law, alpha, cells).map([&](const Statement& statement) {
      return Figures{law.scale(), epsilon, delta, rho(mechanism), statement, noise::standard_deviation(law),
                     std::nullopt};
    });
  }

  Result<Figures> operator()(const Budget& known) const {
    return within(family, known).and_then([&](const auto& mechanism) {
      return figures(mechanism, known.epsilon.value(), known.delta.value());
    });
  }

  Result<Figures> operator()(const ScaleAtDelta& known) const {
    VERNIER_TRY(const auto mechanism, at_scale(family, known.scale));
    if (!known.delta) return figures(mechanism, std::nullopt, std::nullopt);
    return mechanism.curve().epsilon(*known.delta).and_then([&](Bounds epsilon) {
      return figures(mechanism, epsilon.upper, known.delta->value());
    });
  }

  Result<Figures> operator()(const ScaleAtEpsilon& known) const {
    return at_scale(family, known.scale).and_then([&](const auto& mechanism) {
      return figures(mechanism, known.epsilon.value(), mechanism.curve().delta(known.epsilon).upper);
    });
  }

  Result<Figures> operator()(const Target& known) const {
    VERNIER_TRY(const auto law, law_for(family, known.accuracy, alpha, cells));
    Result<Figures> found = (*this)(ScaleAtDelta{law.scale(), known.delta});
    if (!found) return found;
    if constexpr (!IntegerLaw<std::decay_t<decltype(law)>>) {
      const double a = known.accuracy.value();  // the scale was certified for it
      found->accuracy = {a, a, a};
    }
    if constexpr (std::same_as<Family, GeometricFamily>) {
      const auto continuous = geometric_epsilon_continuous(known.accuracy, alpha, cells, family.sensitivity);
      if (continuous) found->epsilon_continuous = continuous->upper;
    }
    return found;
  }
};

}  // namespace

Result<Figures> calibrate(const Family& family, const Known& known, Alpha alpha, Cells cells) {
  return std::visit(
      [&]<class Chosen>(const Chosen& chosen, const auto& question) {
        return Answer<Chosen>{chosen, alpha, cells}(question);
      },
      family, known);
}

}  // namespace vernier::accuracy
