#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "vernier/accounting/accountant.hpp"
#include "vernier/accounting/event.hpp"

// Events in few words. Parameters that break a rule throw.
namespace vernier::test {

inline accounting::Release laplace(double scale, double sensitivity = 1) {
  return mechanism::LaplaceMechanism::at_scale(LaplaceScale::of(scale).value(),
                                               privacy::L1Sensitivity::of(sensitivity).value());
}
inline accounting::Release gaussian(double scale, double sensitivity = 1) {
  return mechanism::GaussianMechanism::at_scale(Sigma::of(scale).value(),
                                                privacy::L2Sensitivity::of(sensitivity).value());
}
inline mechanism::GeometricMechanism geometric(double scale, std::int64_t sensitivity = 1) {
  return mechanism::GeometricMechanism::at_scale(LaplaceScale::of(scale).value(),
                                                 privacy::IntegerSensitivity::of(sensitivity).value())
      .value();
}
inline mechanism::DiscreteGaussianMechanism discrete_gaussian(double scale, std::int64_t sensitivity = 1) {
  return mechanism::DiscreteGaussianMechanism::at_scale(Sigma::of(scale).value(),
                                                        privacy::IntegerSensitivity::of(sensitivity).value())
      .value();
}
inline accounting::Release pure(double epsilon) {
  return accounting::PureStatement{privacy::Epsilon::of(epsilon).value()};
}
inline accounting::Release approximate(double epsilon, double delta) {
  return accounting::ApproximateStatement{privacy::Epsilon::of(epsilon).value(), privacy::Delta::of(delta).value()};
}
inline accounting::Release choice(double epsilon) { return accounting::Choice{privacy::Epsilon::of(epsilon).value()}; }
inline accounting::Release zcdp(double rho) { return accounting::ZcdpStatement{privacy::Rho::of(rho).value()}; }
inline accounting::KeySelection key_selection(accounting::KeySelection::Noise noise, std::int64_t threshold,
                                              std::int64_t groups) {
  return accounting::KeySelection::of(std::move(noise), threshold, groups).value();
}

inline accounting::Event event(accounting::Release release, std::int64_t times = 1, double rate = 1,
                               privacy::Neighbours neighbours = privacy::Neighbours::add_remove) {
  return accounting::Event::of(std::move(release), neighbours, accounting::Times::of(times).value(),
                               privacy::SamplingRate::of(rate).value())
      .value();
}
inline accounting::Event replaced(accounting::Release release, std::int64_t times = 1) {
  return event(std::move(release), times, 1, privacy::Neighbours::replace);
}

inline accounting::Guarantee epsilon_of(const std::vector<accounting::Event>& events, double delta) {
  return accounting::Accountant::of(events)->epsilon(privacy::Delta::of(delta).value()).value();
}
inline accounting::Guarantee delta_of(const std::vector<accounting::Event>& events, double epsilon) {
  return accounting::Accountant::of(events)->delta(privacy::Epsilon::of(epsilon).value()).value();
}

}  // namespace vernier::test
