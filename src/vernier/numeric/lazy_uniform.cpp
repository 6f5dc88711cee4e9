#include "vernier/numeric/lazy_uniform.hpp"

namespace vernier::numeric {

LazyUniform::LazyUniform(std::uint64_t first, int bits) : bits_(bits) { fmpz_init_set_ui(numerator_, first); }

LazyUniform::LazyUniform(const LazyUniform& other) : bits_(other.bits_) { fmpz_init_set(numerator_, other.numerator_); }

LazyUniform::~LazyUniform() { fmpz_clear(numerator_); }

void LazyUniform::append(std::uint64_t word, int bits) {
  fmpz_mul_2exp(numerator_, numerator_, static_cast<unsigned long>(bits));
  fmpz_add_ui(numerator_, numerator_, word);
  bits_ += bits;
}

// [n, n + 1] / 2^bits: the centre (2n + 1) / 2^(bits + 1) is exact, and so is the radius, a power of two.
Ball LazyUniform::ball(Precision precision) const {
  arb_t interval;
  arb_init(interval);
  arb_set_fmpz(interval, numerator_);
  arb_mul_2exp_si(interval, interval, 1);
  arb_add_ui(interval, interval, 1, ARF_PREC_EXACT);
  arb_mul_2exp_si(interval, interval, -bits_ - 1);
  arb_add_error_2exp_si(interval, -bits_ - 1);
  const Ball result = Ball::from_raw(interval, precision);
  arb_clear(interval);
  return result;
}

}  // namespace vernier::numeric
