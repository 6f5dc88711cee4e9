#include "vernier/numeric/ball.hpp"

#include <algorithm>

#include <arb_hypgeom.h>

namespace vernier::numeric {
namespace {

Precision wider(const Ball& a, const Ball& b) { return {std::max(a.precision().bits, b.precision().bits)}; }

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

// The centre (2 numerator + 1) / 2^(bits + 1) is exact, and so is the radius, a power of two.
Ball Ball::dyadic_interval(const fmpz_t numerator, long bits, Precision precision) {
  Ball result(precision);
  arb_set_fmpz(result.value_, numerator);
  arb_mul_2exp_si(result.value_, result.value_, 1);
  arb_add_ui(result.value_, result.value_, 1, ARF_PREC_EXACT);
  arb_mul_2exp_si(result.value_, result.value_, -bits - 1);
  arb_add_error_2exp_si(result.value_, -bits - 1);
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
  if (arb_lt(a.value_, b.value_)) return true;
  if (arb_ge(a.value_, b.value_)) return false;
  return std::nullopt;
}

Bounds Ball::bounds() const {
  Dyadic lower, upper;
  arb_get_lbound_arf(lower.raw(), value_, precision_.bits);
  arb_get_ubound_arf(upper.raw(), value_, precision_.bits);
  return {arf_get_d(lower.raw(), ARF_RND_FLOOR), arf_get_d(upper.raw(), ARF_RND_CEIL)};
}

std::int64_t Ball::floor_down() const {
  Dyadic lower;
  arb_get_lbound_arf(lower.raw(), value_, precision_.bits);
  return arf_get_si(lower.raw(), ARF_RND_FLOOR);
}

}  // namespace vernier::numeric
