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

// [n, n + 1] / 2^bits as the centre (2n + 1) / 2^(bits + 1), which is exact, and its radius.
Ball LazyUniform::ball(Precision precision) const {
  return Ball::dyadic_interval(numerator_, bits_, precision);
}

}  // namespace vernier::numeric
