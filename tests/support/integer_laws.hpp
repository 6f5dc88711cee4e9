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

// Of one unsplit spend, in rows: exact of the geometric law, about that at delta = 1e-8 of the other.
inline double scale_in_rows(const noise::Geometric*, double epsilon) { return 1 / epsilon; }
inline double scale_in_rows(const noise::DiscreteGaussian*, double epsilon) { return 5.087 / epsilon; }

}  // namespace vernier::testing
