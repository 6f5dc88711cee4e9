#pragma once

#include <utility>

#include "vernier/accounting/event.hpp"

// Events in few words; their parameters must be valid.
namespace vernier::test::events {

inline accounting::Event event(accounting::Release release, long times, double rate = 1) {
  return *accounting::Event::of(std::move(release), privacy::Neighbours::add_remove, *accounting::Times::of(times),
                                *privacy::SamplingRate::of(rate));
}
inline accounting::Release gaussian(double scale, double sensitivity) {
  return mechanism::GaussianMechanism::at_scale(*Sigma::of(scale), *privacy::L2Sensitivity::of(sensitivity));
}
inline accounting::Release laplace(double scale, double sensitivity) {
  return mechanism::LaplaceMechanism::at_scale(*LaplaceScale::of(scale), *privacy::L1Sensitivity::of(sensitivity));
}
inline accounting::Release geometric(double scale, long sensitivity) {
  return *mechanism::GeometricMechanism::at_scale(*LaplaceScale::of(scale),
                                                  *privacy::IntegerSensitivity::of(sensitivity));
}
inline accounting::Release discrete_gaussian(double scale, long sensitivity) {
  return *mechanism::DiscreteGaussianMechanism::at_scale(*Sigma::of(scale),
                                                         *privacy::IntegerSensitivity::of(sensitivity));
}
inline accounting::Release pure(double epsilon) { return accounting::PureStatement{*privacy::Epsilon::of(epsilon)}; }
inline accounting::Release approximate(double epsilon, double delta) {
  return accounting::ApproximateStatement{*privacy::Epsilon::of(epsilon), *privacy::Delta::of(delta)};
}

}  // namespace vernier::test::events
