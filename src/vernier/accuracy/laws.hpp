#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/noise/laplace.hpp"

// What the room needs to know about a law, and no more: its points, its two-sided tail, its scale, and the law over the
// reals that it resembles, from which guesses are made.
namespace vernier::accuracy {

template <class Law>
concept IntegerLaw = requires(const Law& law, std::int64_t x) {
  { law.quantile(*Probability::of(0.5)) } -> std::same_as<Result<std::int64_t>>;
};

// Where the noise of a law can lie.
template <class Law>
using Point = std::conditional_t<IntegerLaw<Law>, std::int64_t, double>;

template <IntegerLaw Law>
std::int64_t argument(const Law&, std::int64_t a) {
  return a;
}
template <class Law>
Real argument(const Law&, double a) {
  return *Real::of(a);  // searches visit finite doubles only
}

// P[abs(X) > a] for a >= 0: certified bounds, and as tight as the precision asks.
template <class Law>
numeric::Ball outside(const Law& law, Point<Law> a, numeric::Precision precision) {
  return times_power_of_two(law.tail(argument(law, a), precision), 1);
}
template <class Law>
Bounds outside(const Law& law, Point<Law> a) {
  return law.outside(argument(law, a));
}

// The law at a scale within its domain.
template <class Law>
struct Domain {
  static constexpr double least = IntegerLaw<Law> ? noise::least_integer_scale : least_scale;
  static constexpr double greatest = IntegerLaw<Law> ? noise::greatest_integer_scale : greatest_scale;
};

template <class Law>
Law law_at(double scale) {
  constexpr bool is_laplace = std::same_as<Law, noise::Laplace> || std::same_as<Law, noise::Geometric>;
  const auto checked = [&] {
    if constexpr (is_laplace)
      return *LaplaceScale::of(scale);
    else
      return *Sigma::of(scale);
  }();
  if constexpr (IntegerLaw<Law>)
    return *Law::of(checked);
  else
    return Law::of(checked);
}

// The law over the reals of the same scale: the documents' figures before the ceiling are its.
template <class Law>
struct Continuous {
  using type = Law;
};
template <>
struct Continuous<noise::Geometric> {
  using type = noise::Laplace;
};
template <>
struct Continuous<noise::DiscreteGaussian> {
  using type = noise::Gaussian;
};
template <class Law>
using ContinuousLaw = typename Continuous<Law>::type;

// Plain doubles without a bound, to start searches from: only speed depends on them.
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
