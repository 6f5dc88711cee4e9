#include "vernier/accuracy/laws.hpp"

#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>

namespace vernier::accuracy {
namespace {

using Plain = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double Unit<noise::Laplace>::outside(double a) { return std::exp(-a); }
double Unit<noise::Laplace>::point(double probability) { return -std::log(probability); }
double Unit<noise::Laplace>::reach(double probability) { return std::log(2) - std::log(probability); }

double Unit<noise::Gaussian>::outside(double a) { return std::erfc(a / std::numbers::sqrt2); }
double Unit<noise::Gaussian>::point(double probability) {
  return std::numbers::sqrt2 * boost::math::erfc_inv(probability, Plain());
}
double Unit<noise::Gaussian>::reach(double probability) {
  return std::sqrt(2 * Unit<noise::Laplace>::reach(probability));
}

}  // namespace vernier::accuracy
