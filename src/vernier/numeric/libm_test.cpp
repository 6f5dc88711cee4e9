// What every error bound in plain doubles assumes of the mathematical library: exp, log, log1p, expm1, erf, sin and cos
// within 2 units in the last place.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/parameters.hpp"

namespace vernier::numeric {
namespace {

struct Function {
  const char* name;
  double (*of_libm)(double);
  int (*of_mpfr)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  double first, last;
};

const Function functions[] = {
    {"exp", std::exp, mpfr_exp, -708, 709},     {"expm1", std::expm1, mpfr_expm1, -40, 709},
    {"log", std::log, mpfr_log, 1e-320, 1e300}, {"log1p", std::log1p, mpfr_log1p, -0.9999, 1e9},
    {"erf", std::erf, mpfr_erf, -6, 6},         {"sin", std::sin, mpfr_sin, -1e15, 1e15},
    {"cos", std::cos, mpfr_cos, -1e15, 1e15}};

double truth(const Function& function, double x) {
  MPFR_DECL_INIT(value, 53);
  mpfr_set_d(value, x, MPFR_RNDN);
  function.of_mpfr(value, value, MPFR_RNDN);
  return mpfr_get_d(value, MPFR_RNDN);
}

// The correctly rounded value is half a unit off itself, so within 1.5 units of it means within 2 of the truth.
double units_apart(double found, double exact) {
  const double unit = std::nextafter(std::abs(exact), std::numeric_limits<double>::infinity()) - std::abs(exact);
  return std::abs(found - exact) / unit;
}

double any_argument(const Function& function, test::Parameters& any) {
  const double size = any.log_uniform(1e-12, 1);
  const double sign = any.uniform(0, 1) < 0.5 ? -1 : 1;
  if (any.uniform(0, 1) < 0.5) return any.uniform(function.first, std::min(function.last, 1000.0));
  if (function.of_mpfr != mpfr_log) return sign * size * std::min(-function.first, function.last);
  return any.uniform(0, 1) < 0.5 ? 1 + sign * size * 0.5 : any.log_uniform(function.first, function.last);
}

TEST(Libm, IsWithinTwoUnitsInTheLastPlace) {
  test::Parameters any(76);
  for (const Function& function : functions) {
    for (int i = 0; i < 20000; ++i) {
      const double x = any_argument(function, any);
      ASSERT_LE(units_apart(function.of_libm(x), truth(function, x)), 1.5) << function.name << " at " << x;
    }
  }
}

}  // namespace
}  // namespace vernier::numeric
