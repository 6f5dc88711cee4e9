#pragma once

#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/laplace.hpp"

// Plain doubles without a bound, to start searches from: only speed depends on them.
namespace vernier::accuracy {

// The laws over the reals at scale 1.
template <class Law>
struct Unit;

template <>
struct Unit<noise::Laplace> {
  static double outside(double a);          // about P[abs(X) > a]
  static double point(double probability);  // about where that is the probability
  static double reach(double probability);  // the a with 2 density(a) / density(0) = probability: a first term's size
  static constexpr double power = 1;        // log outside is about -a^power
};

template <>
struct Unit<noise::Gaussian> {
  static double outside(double a);
  static double point(double probability);
  static double reach(double probability);
  static constexpr double power = 2;
};

}  // namespace vernier::accuracy
