#include "vernier/numeric/lazy_uniform.hpp"

#include <cstring>

#include "vernier/numeric/wiped_memory.hpp"

namespace vernier::numeric {
namespace {

// From the beginning of the program, since what draws has a lazy uniform.
const WipedMemory wiped_memory;

// FLINT keeps the limbs of a large number for its next one, and a small one stands where the number is.
void forget(fmpz_t number) {
  if (COEFF_IS_MPZ(*number)) {
    const __mpz_struct* const large = COEFF_TO_PTR(*number);
    explicit_bzero(large->_mp_d, sizeof(mp_limb_t) * static_cast<std::size_t>(large->_mp_alloc));
  }
  fmpz_clear(number);
  explicit_bzero(number, sizeof(fmpz_t));
}

}  // namespace

LazyUniform::LazyUniform(std::uint64_t first, int bits) : bits_(bits) { fmpz_init_set_ui(numerator_, first); }

LazyUniform::LazyUniform(const LazyUniform& other) : bits_(other.bits_) { fmpz_init_set(numerator_, other.numerator_); }

LazyUniform::~LazyUniform() { forget(numerator_); }

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
