#include "vernier/release/record/event_parts.hpp"

namespace vernier::release {
namespace {

using accounting::Event;
using accounting::KeySelection;
using plan::LawName;

struct AddParts {
  EventParts& parts;
  template <class Mechanism>
  void noise(LawName name, const Mechanism& mechanism) const {
    parts.mechanism = name;
    parts.scale = mechanism.law().scale();
    parts.sensitivity = mechanism.sensitivity().value();
  }
  void operator()(const mechanism::GeometricMechanism& one) const { noise(LawName::geometric, one); }
  void operator()(const mechanism::DiscreteGaussianMechanism& one) const { noise(LawName::discrete_gaussian, one); }
  // Of the noise of a box alone: other Laplace noise is in no plan.
  void operator()(const mechanism::LaplaceMechanism& one) const {
    parts.mechanism = LawName::box;
    parts.scale = one.law().scale();
    parts.sensitivity = static_cast<std::int64_t>(one.sensitivity().value());
  }
  void operator()(const KeySelection& keys) const {
    std::visit(*this, keys.noise());
    parts.threshold = keys.threshold();
    parts.groups = keys.groups();
  }
  void operator()(const accounting::Choice& choice) const { parts.epsilon = choice.epsilon.value(); }
  void operator()(const accounting::ZcdpStatement& one) const {
    parts.mechanism = LawName::discrete_gaussian;
    parts.rho = one.rho.value();
  }
  void operator()(const mechanism::GaussianMechanism& one) const {
    parts.mechanism = LawName::discrete_gaussian;
    parts.scale = one.law().scale();
  }
  void operator()(const accounting::ApproximateStatement& one) const {
    parts.mechanism = LawName::discrete_gaussian;
    parts.epsilon = one.epsilon.value();
    parts.delta = one.delta.value();
  }
  template <class Other>
  void operator()(const Other&) const {}
};

Result<KeySelection::Noise> noise_of(const EventParts& parts) {
  if (!parts.scale || !parts.sensitivity) return invalid("noise is stated by scale and sensitivity");
  VERNIER_TRY(const privacy::IntegerSensitivity sensitivity, privacy::IntegerSensitivity::of(*parts.sensitivity));
  const auto any = [](const auto& noise) { return KeySelection::Noise(noise); };
  if (parts.mechanism == LawName::geometric) {
    VERNIER_TRY(const LaplaceScale scale, LaplaceScale::of(*parts.scale));
    return mechanism::GeometricMechanism::at_scale(scale, sensitivity).map(any);
  }
  if (parts.mechanism != LawName::discrete_gaussian) return invalid("a choice is stated by its epsilon");
  VERNIER_TRY(const Sigma scale, Sigma::of(*parts.scale));
  return mechanism::DiscreteGaussianMechanism::at_scale(scale, sensitivity).map(any);
}

// The noise of a box is charged as one Laplace noise of its scale: noise/box.md.
Result<accounting::Release> boxed(const EventParts& parts) {
  const bool is_noise = parts.scale && parts.sensitivity && !parts.threshold && !parts.groups;
  if (!is_noise) return invalid("the noise of a box is stated by scale and sensitivity");
  VERNIER_TRY(const LaplaceScale scale, LaplaceScale::of(*parts.scale));
  VERNIER_TRY(const auto moved, privacy::L1Sensitivity::of(static_cast<double>(*parts.sensitivity)));
  return accounting::Release(mechanism::LaplaceMechanism::at_scale(scale, moved));
}

Result<accounting::Release> together(const EventParts& parts) {
  const bool is_alone = !parts.epsilon && !parts.scale && !parts.sensitivity && !parts.threshold && !parts.groups;
  if (!is_alone || parts.mechanism != LawName::discrete_gaussian) {
    return invalid("numbers that move together are stated by their rho alone");
  }
  VERNIER_TRY(const privacy::Rho rho, privacy::Rho::of(*parts.rho));
  return accounting::Release(accounting::ZcdpStatement{rho});
}

Result<accounting::Release> as_one_gaussian(const EventParts& parts) {
  const bool is_alone = !parts.sensitivity && !parts.threshold && !parts.groups;
  if (!is_alone) return invalid("one Gaussian number for several is stated by its scale alone");
  VERNIER_TRY(const Sigma scale, Sigma::of(*parts.scale));
  return privacy::L2Sensitivity::of(1).map([&](privacy::L2Sensitivity one) {
    return accounting::Release(mechanism::GaussianMechanism::at_scale(scale, one));
  });
}

Result<accounting::Release> known_by_chance(const EventParts& parts) {
  const bool is_alone = !parts.rho && !parts.scale && !parts.sensitivity && !parts.threshold && !parts.groups;
  if (!is_alone || !parts.epsilon || parts.mechanism != LawName::discrete_gaussian) {
    return invalid("a chance that all is known is stated by epsilon and delta alone");
  }
  VERNIER_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(*parts.epsilon));
  VERNIER_TRY(const privacy::Delta delta, privacy::Delta::of(*parts.delta));
  return accounting::Release(accounting::ApproximateStatement{epsilon, delta});
}

Result<accounting::Release> release_of(const EventParts& parts) {
  if (parts.rho && !parts.delta) return together(parts);
  if (parts.delta) return known_by_chance(parts);
  if (parts.mechanism == LawName::discrete_gaussian && parts.scale && !parts.sensitivity && !parts.epsilon) {
    return as_one_gaussian(parts);
  }
  if (parts.epsilon) {
    const bool is_choice = parts.mechanism == LawName::exponential && !parts.scale && !parts.sensitivity;
    if (!is_choice || parts.threshold || parts.groups) return invalid("a choice is stated by its epsilon alone");
    VERNIER_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(*parts.epsilon));
    return accounting::Release(accounting::Choice{epsilon});
  }
  if (parts.mechanism == LawName::box) return boxed(parts);
  VERNIER_TRY(const KeySelection::Noise noise, noise_of(parts));
  if (parts.threshold.has_value() != parts.groups.has_value()) return invalid("keys have a threshold and groups");
  if (!parts.threshold) {
    return std::visit([](const auto& known) { return accounting::Release(known); }, noise);
  }
  return KeySelection::of(noise, *parts.threshold, *parts.groups).map([](const KeySelection& keys) {
    return accounting::Release(keys);
  });
}

}  // namespace

EventParts event_parts(const Event& event) {
  EventParts parts{.neighbours = event.neighbours(), .times = event.times().value()};
  std::visit(AddParts{parts}, event.release());
  return parts;
}

Result<Event> event_of(const EventParts& parts) {
  VERNIER_TRY(const accounting::Release release, release_of(parts));
  VERNIER_TRY(const accounting::Times times, accounting::Times::of(parts.times));
  return Event::of(release, parts.neighbours, times);
}

Event any_event() { return *Event::of(accounting::Choice{*privacy::Epsilon::of(1)}, privacy::Neighbours::add_remove); }

}  // namespace vernier::release
