#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/noise/laplace.hpp"

namespace vernier::noise {

// One of the four laws, where the mechanism is known at run time only.
using AnyLaw = std::variant<Laplace, Geometric, Gaussian, DiscreteGaussian>;

// The law of a mechanism at a scale: laplace, geometric (also discrete-laplace), gaussian, discrete-gaussian.
Result<AnyLaw> law_named(std::string_view mechanism, double scale);

// All names that law_named takes.
std::vector<std::string> law_names();

// The name of its mechanism; geometric for both spellings.
std::string_view name_of(const AnyLaw& law);

double scale_of(const AnyLaw& law);

// Of the noise, rounded up; never 0: the root of a variance below all doubles is still above it.
double standard_deviation(const AnyLaw& law);

}  // namespace vernier::noise
