#pragma once

#include <complex>

#include <acb.h>

namespace vernier::test {

// A complex number known to lie within a ball, with 600 bits: enough for every cancellation of a transform's tests.
class ComplexBall {
 public:
  static constexpr long bits = 600;

  ComplexBall(double real = 0, double imaginary = 0) {
    acb_init(value_);
    acb_set_d_d(value_, real, imaginary);
  }
  ComplexBall(const ComplexBall& other) {
    acb_init(value_);
    acb_set(value_, other.value_);
  }
  ComplexBall& operator=(const ComplexBall& other) {
    acb_set(value_, other.value_);
    return *this;
  }
  ~ComplexBall() { acb_clear(value_); }

  friend ComplexBall operator+(const ComplexBall& a, const ComplexBall& b) { return apply(acb_add, a, b); }
  friend ComplexBall operator-(const ComplexBall& a, const ComplexBall& b) { return apply(acb_sub, a, b); }
  friend ComplexBall operator*(const ComplexBall& a, const ComplexBall& b) { return apply(acb_mul, a, b); }
  friend ComplexBall operator/(const ComplexBall& a, const ComplexBall& b) { return apply(acb_div, a, b); }
  friend ComplexBall exp(const ComplexBall& a) { return apply(acb_exp, a); }
  friend ComplexBall log(const ComplexBall& a) { return apply(acb_log, a); }
  static ComplexBall pi() {
    ComplexBall result;
    acb_const_pi(result.value_, bits);
    return result;
  }

  // At least the size of every member, rounded up.
  double size() const {
    arf_t bound;
    arf_init(bound);
    acb_get_abs_ubound_arf(bound, value_, bits);
    const double result = arf_get_d(bound, ARF_RND_UP);
    arf_clear(bound);
    return result;
  }
  std::complex<double> nearest() const {
    return {arf_get_d(arb_midref(acb_realref(value_)), ARF_RND_NEAR),
            arf_get_d(arb_midref(acb_imagref(value_)), ARF_RND_NEAR)};
  }

 private:
  template <class Function>
  static ComplexBall apply(Function function, const ComplexBall& a, const ComplexBall& b) {
    ComplexBall result;
    function(result.value_, a.value_, b.value_, bits);
    return result;
  }
  template <class Function>
  static ComplexBall apply(Function function, const ComplexBall& a) {
    ComplexBall result;
    function(result.value_, a.value_, bits);
    return result;
  }
  acb_t value_;
};

}  // namespace vernier::test
