#include "vernier/numeric/ball.hpp"

#include <algorithm>
#include <limits>

#include <arb_hypgeom.h>

namespace vernier::numeric {
namespace {

Precision wider(const Ball& a, const Ball& b) { return {std::max(a.precision().bits, b.precision().bits)}; }

// The ends of a ball are formed with at least these bits, so that a double or a 64-bit integer stays exact.
slong end_bits(Precision precision) { return std::max(precision.bits, 128L); }

// arf_t with an owner.
class Dyadic {
 public:
  Dyadic() { arf_init(value_); }
  ~Dyadic() { arf_clear(value_); }
  Dyadic(const Dyadic&) = delete;
  Dyadic& operator=(const Dyadic&) = delete;
  arf_struct* raw() { return value_; }

 private:
  arf_t value_;
};

}  // namespace

Ball::Ball(Precision precision) : precision_(precision) { arb_init(value_); }

Ball::Ball(const Ball& other) : Ball(other.precision_) { arb_set(value_, other.value_); }

Ball::Ball(Ball&& other) noexcept : Ball(other.precision_) { arb_swap(value_, other.value_); }

Ball& Ball::operator=(Ball other) noexcept {
  arb_swap(value_, other.value_);
  precision_ = other.precision_;
  return *this;
}

Ball::~Ball() { arb_clear(value_); }

Ball Ball::of(double value, Precision precision) {
  Ball result(precision);
  arb_set_d(result.value_, value);
  return result;
}

Ball Ball::of(std::int64_t value, Precision precision) {
  Ball result(precision);
  arb_set_si(result.value_, value);
  return result;
}

Ball Ball::pi(Precision precision) {
  Ball result(precision);
  arb_const_pi(result.value_, precision.bits);
  return result;
}

Ball Ball::zeta(unsigned long n, Precision precision) {
  Ball result(precision);
  arb_zeta_ui(result.value_, n, precision.bits);
  return result;
}

Ball Ball::from_raw(const arb_t value, Precision precision) {
  Ball result(precision);
  arb_set(result.value_, value);
  return result;
}

Ball operator+(const Ball& a, const Ball& b) {
  Ball result(wider(a, b));
  arb_add(result.value_, a.value_, b.value_, result.precision_.bits);
  return result;
}

Ball operator-(const Ball& a, const Ball& b) {
  Ball result(wider(a, b));
  arb_sub(result.value_, a.value_, b.value_, result.precision_.bits);
  return result;
}

Ball operator*(const Ball& a, const Ball& b) {
  Ball result(wider(a, b));
  arb_mul(result.value_, a.value_, b.value_, result.precision_.bits);
  return result;
}

Ball operator/(const Ball& a, const Ball& b) {
  Ball result(wider(a, b));
  arb_div(result.value_, a.value_, b.value_, result.precision_.bits);
  return result;
}

Ball operator-(const Ball& a) {
  Ball result(a.precision_);
  arb_neg(result.value_, a.value_);
  return result;
}

Ball exp(const Ball& a) {
  Ball result(a.precision_);
  arb_exp(result.value_, a.value_, a.precision_.bits);
  return result;
}

Ball expm1(const Ball& a) {
  Ball result(a.precision_);
  arb_expm1(result.value_, a.value_, a.precision_.bits);
  return result;
}

Ball log(const Ball& a) {
  Ball result(a.precision_);
  arb_log(result.value_, a.value_, a.precision_.bits);
  return result;
}

Ball log1p(const Ball& a) {
  Ball result(a.precision_);
  arb_log1p(result.value_, a.value_, a.precision_.bits);
  return result;
}

Ball sqrt(const Ball& a) {
  Ball result(a.precision_);
  arb_sqrt(result.value_, a.value_, a.precision_.bits);
  return result;
}

Ball erfc(const Ball& a) {
  Ball result(a.precision_);
  arb_hypgeom_erfc(result.value_, a.value_, a.precision_.bits);
  return result;
}

Ball power(const Ball& a, unsigned long exponent) {
  Ball result(a.precision_);
  arb_pow_ui(result.value_, a.value_, exponent, a.precision_.bits);
  return result;
}

Ball rounded_to(const Ball& a, Precision precision) {
  Ball result(precision);
  arb_set_round(result.value_, a.value_, precision.bits);
  return result;
}

Ball times_power_of_two(const Ball& a, long exponent) {
  Ball result(a.precision_);
  arb_mul_2exp_si(result.value_, a.value_, exponent);
  return result;
}

Ball widened(const Ball& a, const Ball& error) {
  Ball result(a);
  arb_add_error(result.value_, error.value_);
  return result;
}

std::optional<bool> less(const Ball& a, const Ball& b) {
  // The centres are members: they leave one certain answer, and each costs a third of a microsecond to look for.
  const bool may_be_less = arf_cmp(arb_midref(a.value_), arb_midref(b.value_)) < 0;
  if (may_be_less && arb_lt(a.value_, b.value_)) return true;
  if (!may_be_less && arb_ge(a.value_, b.value_)) return false;
  return std::nullopt;
}

Bounds Ball::bounds() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!arb_is_finite(value_)) return {-infinity, infinity};
  Dyadic lower, upper;
  arb_get_lbound_arf(lower.raw(), value_, end_bits(precision_));
  arb_get_ubound_arf(upper.raw(), value_, end_bits(precision_));
  return {arf_get_d(lower.raw(), ARF_RND_FLOOR), arf_get_d(upper.raw(), ARF_RND_CEIL)};
}

double Ball::nearest() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }

std::int64_t Ball::floor_down() const {
  Dyadic lower;
  arb_get_lbound_arf(lower.raw(), value_, end_bits(precision_));
  return arf_get_si(lower.raw(), ARF_RND_FLOOR);
}

}  // namespace vernier::numeric
