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
  void operator()(const KeySelection& keys) const {
    std::visit(*this, keys.noise());
    parts.threshold = keys.threshold();
    parts.groups = keys.groups();
  }
  void operator()(const accounting::PureStatement& choice) const { parts.epsilon = choice.epsilon.value(); }
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

Result<accounting::Release> release_of(const EventParts& parts) {
  if (parts.epsilon) {
    const bool is_choice = parts.mechanism == LawName::exponential && !parts.scale && !parts.sensitivity;
    if (!is_choice || parts.threshold || parts.groups) return invalid("a choice is stated by its epsilon alone");
    VERNIER_TRY(const privacy::Epsilon epsilon, privacy::Epsilon::of(*parts.epsilon));
    return accounting::Release(accounting::PureStatement{epsilon});
  }
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

Event any_event() {
  return *Event::of(accounting::PureStatement{*privacy::Epsilon::of(1)}, privacy::Neighbours::add_remove);
}

}  // namespace vernier::release
