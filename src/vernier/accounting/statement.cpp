#include "vernier/accounting/statement.hpp"

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

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
