#pragma once

#include <mpfr.h>

#include "vernier/core/types.hpp"

namespace vernier::test {

// The sum over first..last of x^power exp(log_weight(x)), term by term in MPFR with 400 bits: it shares nothing with
// the code under test. log_weight(x, out) sets an mpfr_t.
class BruteSum {
 public:
  template <class LogWeight>
  BruteSum(const LogWeight& log_weight, long first, long last, int power = 0) {
    mpfr_inits2(400, sum_, term_, static_cast<mpfr_ptr>(nullptr));
    mpfr_set_zero(sum_, 1);
    for (long x = first; x <= last; ++x) {
      log_weight(x, term_);
      mpfr_exp(term_, term_, MPFR_RNDN);
      for (int i = 0; i < power; ++i) mpfr_mul_si(term_, term_, x, MPFR_RNDN);
      mpfr_add(sum_, sum_, term_, MPFR_RNDN);
    }
  }
  ~BruteSum() { mpfr_clears(sum_, term_, static_cast<mpfr_ptr>(nullptr)); }
  BruteSum(const BruteSum&) = delete;
  BruteSum& operator=(const BruteSum&) = delete;

  // This sum over the other, rounded outward. The error of the sums is below 2^-350 relatively.
  Bounds over(const BruteSum& whole) {
    mpfr_div(term_, sum_, whole.sum_, MPFR_RNDN);
    return {mpfr_get_d(term_, MPFR_RNDD), mpfr_get_d(term_, MPFR_RNDU)};
  }

 private:
  mpfr_t sum_, term_;
};

}  // namespace vernier::test
