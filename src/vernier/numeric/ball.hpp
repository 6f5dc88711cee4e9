#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <arb.h>

#include "vernier/core/types.hpp"

namespace vernier::numeric {

// Bits of working precision of a ball.
struct Precision {
  long bits;
};

// A real number known to lie within a ball: Arb's midpoint and radius. Every operation returns a ball that contains the
// exact result for all members of its operands, so a chain of them is a proof; the precision only decides how small
// the ball is. (Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval arithmetic", 2017.)
class Ball {
 public:
  // Exact: integers and doubles are ball centres of radius 0, whatever the precision.
  static Ball of(double value, Precision precision);
  static Ball of(std::int64_t value, Precision precision);
  static Ball of(int value, Precision precision) { return of(std::int64_t{value}, precision); }
  static Ball pi(Precision precision);
  static Ball zeta(unsigned long n, Precision precision);  // Riemann's, for n >= 2
  static Ball from_raw(const arb_t value, Precision precision);

  Ball(const Ball& other);
  Ball(Ball&& other) noexcept;
  Ball& operator=(Ball other) noexcept;
  ~Ball();

  friend Ball operator+(const Ball& a, const Ball& b);
  friend Ball operator-(const Ball& a, const Ball& b);
  friend Ball operator*(const Ball& a, const Ball& b);
  friend Ball operator/(const Ball& a, const Ball& b);  // b contains 0: the ball of all reals
  friend Ball operator-(const Ball& a);
  friend Ball exp(const Ball& a);
  friend Ball expm1(const Ball& a);
  friend Ball log(const Ball& a);
  friend Ball log1p(const Ball& a);
  friend Ball sqrt(const Ball& a);
  friend Ball erfc(const Ball& a);
  friend Ball power(const Ball& a, unsigned long exponent);
  friend Ball times_power_of_two(const Ball& a, long exponent);  // exact
  friend Ball rounded_to(const Ball& a, Precision precision);    // still contains a; later steps work at this precision

  // The ball, widened by the upper end of abs(error).
  friend Ball widened(const Ball& a, const Ball& error);

  // Certain answers only: true when it holds for every member, false when it fails for every member, else none.
  friend std::optional<bool> less(const Ball& a, const Ball& b);

  Precision precision() const { return precision_; }
  // As doubles, rounded outward: a positive number below the least positive double has that as its upper end, never 0;
  // the ball of all reals has the two infinities.
  Bounds bounds() const;

  double nearest() const;  // the double nearest to the centre; no bound, but the best single figure

  // The largest integer that is certainly not above the value; the value must be below 2^63 in size.
  std::int64_t floor_down() const;

  const arb_struct* raw() const { return value_; }

 private:
  explicit Ball(Precision precision);
  arb_t value_;
  Precision precision_;
};

// The functions of one ball once more, so that they can be named without a ball at hand (a friend alone cannot).
Ball exp(const Ball& a);
Ball expm1(const Ball& a);
Ball log(const Ball& a);
Ball log1p(const Ball& a);
Ball sqrt(const Ball& a);
Ball erfc(const Ball& a);

}  // namespace vernier::numeric
