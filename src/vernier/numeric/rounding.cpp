#include "vernier/numeric/rounding.hpp"

#include <cfloat>

#include <mpfr.h>

namespace vernier::numeric {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

// MPFR rounds correctly to 53 bits, then to the doubles in the same direction: together one directed rounding.
double rounded(Unary function, double a, mpfr_rnd_t direction) {
  MPFR_DECL_INIT(value, DBL_MANT_DIG);
  mpfr_set_d(value, a, direction);  // exact
  function(value, value, direction);
  return mpfr_get_d(value, direction);
}

double rounded(Binary function, double a, double b, mpfr_rnd_t direction) {
  MPFR_DECL_INIT(left, DBL_MANT_DIG);
  MPFR_DECL_INIT(right, DBL_MANT_DIG);
  mpfr_set_d(left, a, direction);  // exact, both
  mpfr_set_d(right, b, direction);
  function(left, left, right, direction);
  return mpfr_get_d(left, direction);
}

}  // namespace

double add_down(double a, double b) { return rounded(mpfr_add, a, b, MPFR_RNDD); }
double add_up(double a, double b) { return rounded(mpfr_add, a, b, MPFR_RNDU); }
double subtract_down(double a, double b) { return rounded(mpfr_sub, a, b, MPFR_RNDD); }
double subtract_up(double a, double b) { return rounded(mpfr_sub, a, b, MPFR_RNDU); }
double multiply_down(double a, double b) { return rounded(mpfr_mul, a, b, MPFR_RNDD); }
double multiply_up(double a, double b) { return rounded(mpfr_mul, a, b, MPFR_RNDU); }
double divide_down(double a, double b) { return rounded(mpfr_div, a, b, MPFR_RNDD); }
double divide_up(double a, double b) { return rounded(mpfr_div, a, b, MPFR_RNDU); }
double sqrt_down(double a) { return rounded(mpfr_sqrt, a, MPFR_RNDD); }
double sqrt_up(double a) { return rounded(mpfr_sqrt, a, MPFR_RNDU); }
double exp_down(double a) { return rounded(mpfr_exp, a, MPFR_RNDD); }
double exp_up(double a) { return rounded(mpfr_exp, a, MPFR_RNDU); }
double expm1_down(double a) { return rounded(mpfr_expm1, a, MPFR_RNDD); }
double expm1_up(double a) { return rounded(mpfr_expm1, a, MPFR_RNDU); }
double log_down(double a) { return rounded(mpfr_log, a, MPFR_RNDD); }
double log_up(double a) { return rounded(mpfr_log, a, MPFR_RNDU); }
double log1p_down(double a) { return rounded(mpfr_log1p, a, MPFR_RNDD); }
double log1p_up(double a) { return rounded(mpfr_log1p, a, MPFR_RNDU); }

}  // namespace vernier::numeric
