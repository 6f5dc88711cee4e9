#pragma once

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Both integer laws by one name, for tests over either.
namespace vernier::testing {

template <class Law>
Law law_at(double scale);

template <>
inline noise::Geometric law_at(double scale) {
  return noise::Geometric::of(*LaplaceScale::of(scale)).value();
}

template <>
inline noise::DiscreteGaussian law_at(double scale) {
  return noise::DiscreteGaussian::of(*Sigma::of(scale)).value();
}

}  // namespace vernier::testing
