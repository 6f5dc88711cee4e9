#include "vernier/numeric/meant.hpp"

#include "vernier/core/text.hpp"

namespace vernier::numeric {

double meant(const Rational& value) {
  const double close = nearest(value);
  const Result<Rational> told = Rational::of_decimal(shortest(close));
  return told && *told == value ? close : value.round_down();
}

}  // namespace vernier::numeric
