#include "vernier/release/record_statistic.hpp"

namespace vernier::release {
namespace {

using accounting::Event;
using accounting::KeySelection;

Result<KeySelection::Noise> mechanism_of(const noise::Geometric& law, privacy::IntegerSensitivity sensitivity) {
  return LaplaceScale::of(law.scale())
      .and_then([&](LaplaceScale scale) { return mechanism::GeometricMechanism::at_scale(scale, sensitivity); })
      .map([](const auto& noise) { return KeySelection::Noise(noise); });
}
Result<KeySelection::Noise> mechanism_of(const noise::DiscreteGaussian& law, privacy::IntegerSensitivity sensitivity) {
  return Sigma::of(law.scale())
      .and_then([&](Sigma scale) { return mechanism::DiscreteGaussianMechanism::at_scale(scale, sensitivity); })
      .map([](const auto& noise) { return KeySelection::Noise(noise); });
}

Result<KeySelection::Noise> mechanism_of(const noise::Exponential&, privacy::IntegerSensitivity) {
  return invalid("a choice is stated by its epsilon");
}

Result<accounting::Release> release_of(const KeySelection::Noise& noise, Fields& event) {
  if (!event.has("threshold")) {
    return std::visit([](const auto& known) { return accounting::Release(known); }, noise);
  }
  const std::int64_t threshold = event.whole("threshold"), groups = event.whole("groups");
  return KeySelection::of(noise, threshold, groups).map([](const KeySelection& keys) {
    return accounting::Release(keys);
  });
}

Event any_event() {
  return *Event::of(accounting::PureStatement{*privacy::Epsilon::of(1)}, privacy::Neighbours::add_remove);
}

}  // namespace

privacy::Neighbours read_neighbours(Fields& fields) {
  return read_name(fields, "neighbours", {privacy::Neighbours::add_remove, privacy::Neighbours::replace});
}

accounting::Method read_method(Fields& fields) {
  using enum accounting::Method;
  return read_name(fields, "method", {basic, advanced, optimal, zcdp, rdp, loss_distribution, closed_form});
}

// A choice is stated by its epsilon alone.
Event read_choice(Fields& event) {
  const auto epsilon = privacy::Epsilon::of(event.number("epsilon"));
  const privacy::Neighbours neighbours = read_neighbours(event);
  const auto times = accounting::Times::of(event.whole("times"));
  if (event.text("mechanism") != "exponential") event.refuse("mechanism", "is none that is stated by its epsilon");
  event.done();
  const auto read = epsilon.and_then([&](privacy::Epsilon stated) {
    return times.and_then(
        [&](accounting::Times often) { return Event::of(accounting::PureStatement{stated}, neighbours, often); });
  });
  if (read) return *read;
  event.refuse("epsilon", "is outside of what can be");
  return any_event();
}

Event read_event(Fields event) {
  if (event.has("epsilon")) return read_choice(event);
  const plan::Law law = read_law(event);
  const auto sensitivity = privacy::IntegerSensitivity::of(event.whole("sensitivity"));
  const privacy::Neighbours neighbours = read_neighbours(event);
  const auto times = accounting::Times::of(event.whole("times"));
  const auto read = sensitivity.and_then([&](privacy::IntegerSensitivity shift) {
    return std::visit([&](const auto& known) { return mechanism_of(known, shift); }, law)
        .and_then([&](const KeySelection::Noise& noise) { return release_of(noise, event); })
        .and_then([&](const accounting::Release& release) {
          return times.and_then([&](accounting::Times often) { return Event::of(release, neighbours, often); });
        });
  });
  event.done();
  if (read) return *read;
  event.refuse("mechanism", "has parameters outside of what can be");
  return any_event();
}

}  // namespace vernier::release
