#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include <gmp.h>

#include "vernier/core/result.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::numeric {

// Decimal text may have an exponent up to this size and this many digits, so that 1e999999999 cannot eat the memory.
inline constexpr long greatest_decimal_exponent = 10000;
inline constexpr long greatest_decimal_digits = 10000;

// An exact rational number, in lowest terms (GMP's mpq). A double is one, and so is a decimal string: of(0.1) lies a
// little above of_decimal("0.1").
class Rational {
 public:
  static Result<Rational> of(double value);  // refuses NaN and the infinities
  static Rational of(std::int64_t value);
  static Rational of(int value) { return of(std::int64_t{value}); }

  // Digits with an optional sign, point and exponent, and nothing else: "0.1", "1e-6", "-3.25e2".
  static Result<Rational> of_decimal(std::string_view text);

  // What text() writes, and nothing else.
  static Result<Rational> of_fraction(std::string_view text);

  Rational(const Rational& other);
  Rational(Rational&& other) noexcept;
  Rational& operator=(Rational other) noexcept;
  ~Rational();

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a);
  friend Result<Rational> quotient(const Rational& a, const Rational& b);  // refuses b = 0
  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  Result<std::int64_t> floor() const;  // refuses what does not fit in 64 bits
  Result<std::int64_t> ceil() const;

  double round_down() const;  // the largest double (or -infinity) that is not above the value
  double round_up() const;    // the least double (or infinity) that is not below the value
  Ball to_ball(Precision precision) const;
  std::string text() const;  // in lowest terms: "3", "-1/3"

 private:
  Rational();
  mpq_t value_;
};

// The double nearest to it, for what is echoed; where it lies beyond all doubles, the infinity.
double nearest(const Rational& value);

}  // namespace vernier::numeric
