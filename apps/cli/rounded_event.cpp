#include "cli/rounded_event.hpp"

namespace vernier::cli {
namespace {

using accounting::Release;
using privacy::IntegerSensitivity;

// A scale: the smaller, the worse.
template <class Parameter>
Result<Parameter> worse_below(End end, const Decimal& written) {
  return rounded<Parameter>(written, end == End::upper ? &Decimal::down : &Decimal::up);
}

// Everything else: the larger, the worse.
template <class Parameter>
Result<Parameter> worse_above(End end, const Decimal& written) {
  return rounded<Parameter>(written, end == End::upper ? &Decimal::up : &Decimal::down);
}

template <class Mechanism, class Scale, class Sensitivity>
Result<Release> real_mechanism(End end, const StatedEvent& stated, const Decimal& scale) {
  VERNIER_TRY(const Sensitivity sensitivity, worse_above<Sensitivity>(end, *stated.sensitivity));
  return worse_below<Scale>(end, scale).map([&](Scale taken) {
    return Release(Mechanism::at_scale(taken, sensitivity));
  });
}

template <class Mechanism, class Scale>
Result<Mechanism> integer_mechanism(const Result<Scale>& scale, double sensitivity) {
  if (!scale) return Failure(scale.error());
  return IntegerSensitivity::of(static_cast<std::int64_t>(sensitivity)).and_then([&](IntegerSensitivity moved) {
    return Mechanism::at_scale(*scale, moved);
  });
}

Result<mechanism::GeometricMechanism> geometric(const Result<LaplaceScale>& scale, double sensitivity) {
  return integer_mechanism<mechanism::GeometricMechanism>(scale, sensitivity);
}

Result<mechanism::DiscreteGaussianMechanism> discrete_gaussian(const Decimal& scale, double sensitivity) {
  return integer_mechanism<mechanism::DiscreteGaussianMechanism>(Sigma::of(scale.nearest), sensitivity);
}

Result<accounting::KeySelection::Noise> selection_noise(const StatedEvent& stated) {
  using Noise = accounting::KeySelection::Noise;
  if (stated.noise == "geometric") {
    return geometric(LaplaceScale::of(stated.scale->nearest), 1).map([](const auto& noise) { return Noise(noise); });
  }
  return discrete_gaussian(*stated.scale, 1).map([](const auto& noise) { return Noise(noise); });
}

Result<Release> key_selection(const StatedEvent& stated) {
  return selection_noise(stated)
      .and_then(
          [&](const auto& noise) { return accounting::KeySelection::of(noise, *stated.threshold, *stated.groups); })
      .map([](const auto& selection) { return Release(selection); });
}

Result<Release> pure(End end, const StatedEvent& stated) {
  return worse_above<privacy::Epsilon>(end, *stated.epsilon).map([](privacy::Epsilon epsilon) {
    return Release(accounting::PureStatement{epsilon});
  });
}

Result<Release> approximate(End end, const StatedEvent& stated) {
  VERNIER_TRY(const privacy::Epsilon epsilon, worse_above<privacy::Epsilon>(end, *stated.epsilon));
  return worse_above<privacy::Delta>(end, *stated.delta).map([&](privacy::Delta delta) {
    return Release(accounting::ApproximateStatement{epsilon, delta});
  });
}

Result<Release> zcdp(End end, const StatedEvent& stated) {
  return worse_above<privacy::Rho>(end, *stated.rho).map([](privacy::Rho rho) {
    return Release(accounting::ZcdpStatement{rho});
  });
}

Result<Release> release_for(End end, const StatedEvent& stated, double open_scale) {
  const Decimal scale = stated.scale.value_or(Decimal::exactly(open_scale));
  const auto any = [](const auto& made) { return Release(made); };
  switch (stated.kind) {
    case EventKind::laplace:
      return real_mechanism<mechanism::LaplaceMechanism, LaplaceScale, privacy::L1Sensitivity>(end, stated, scale);
    case EventKind::gaussian:
      return real_mechanism<mechanism::GaussianMechanism, Sigma, privacy::L2Sensitivity>(end, stated, scale);
    case EventKind::geometric:
      return geometric(worse_below<LaplaceScale>(end, scale), stated.sensitivity->nearest).map(any);
    case EventKind::discrete_gaussian:
      return discrete_gaussian(scale, stated.sensitivity->nearest).map(any);
    case EventKind::pure:
      return pure(end, stated);
    case EventKind::approximate:
      return approximate(end, stated);
    case EventKind::zcdp:
      return zcdp(end, stated);
    case EventKind::key_selection:
      return key_selection(stated);
  }
  return invalid("the event is of no known kind");
}

}  // namespace

Result<accounting::Event> event_for(End end, const StatedEvent& stated, double open_scale) {
  VERNIER_TRY(const Release release, release_for(end, stated, open_scale));
  VERNIER_TRY(const auto sampling, stated.sampling ? worse_above<privacy::SamplingRate>(end, *stated.sampling)
                                                   : privacy::SamplingRate::everyone());
  return accounting::Event::of(release, stated.neighbours, stated.times, sampling);
}

}  // namespace vernier::cli
