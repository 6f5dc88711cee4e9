#include "vernier/accounting/statement.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

using numeric::add_down, numeric::add_up, numeric::multiply_down, numeric::multiply_up, numeric::subtract_down,
    numeric::subtract_up;

void AnyFailure::add(Bounds chance, double times) {
  if (chance.upper == 0) return;
  log_of_none_ = {add_down(log_of_none_.lower, multiply_down(times, numeric::log1p_down(-chance.upper))),
                  add_up(log_of_none_.upper, multiply_up(times, numeric::log1p_up(-chance.lower)))};
  sum_ = add_up(sum_, multiply_up(times, chance.upper));
}

// -expm1 of it: it is negative, so its upper end makes the lower one here.
Bounds AnyFailure::chance() const {
  return {0 - numeric::expm1_up(log_of_none_.upper), std::min(0 - numeric::expm1_down(log_of_none_.lower), sum_)};
}

Bounds with_failure(Bounds failure, Bounds delta) {
  const double lower = add_down(failure.lower, multiply_down(subtract_down(1, failure.lower), delta.lower));
  const double upper = add_up(failure.upper, multiply_up(subtract_up(1, failure.upper), delta.upper));
  return {lower, std::min(upper, 1.0)};
}

// (delta - failure) / (1 - failure)
Bounds without_failure(Bounds failure, double delta) {
  const double least = subtract_down(delta, failure.upper), greatest = subtract_up(delta, failure.lower);
  return {least <= 0 ? least : numeric::divide_down(least, subtract_up(1, failure.lower)),
          greatest <= 0 ? greatest : numeric::divide_up(greatest, subtract_down(1, failure.upper))};
}

Failure below_failure(Bounds failure, double delta) {
  constexpr int digits = 15;
  return invalid("delta must be at least " + rounded_up_text(failure.upper) +
                     ", the chance that one of the statements fails, but it is " + nearest_text(delta, digits),
                 enough_delta(failure));
}

std::string enough_delta(Bounds failure) {
  if (privacy::Delta::of(std::nextafter(failure.upper, 1))) return "choose a larger " + parameter("delta");
  return "ask for " + parameter("delta") + " at an " + parameter("epsilon") + ", since none so large can be stated";
}

using numeric::add_down, numeric::add_up, numeric::multiply_down, numeric::multiply_up;

Bounds sum_of_epsilons(Statements statements) {
  Bounds sum{0, 0};
  for (const Statement& one : statements) {
    sum.lower = add_down(sum.lower, multiply_down(one.times, one.epsilon.lower));
    sum.upper = add_up(sum.upper, multiply_up(one.times, one.epsilon.upper));
  }
  return sum;
}

Bounds any_failure(Statements statements) {
  AnyFailure any;
  for (const Statement& one : statements) any.add({one.delta, one.delta}, one.times);
  return any.chance();
}

}  // namespace vernier::accounting
