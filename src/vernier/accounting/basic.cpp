#include "vernier/accounting/basic.hpp"

#include <algorithm>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

BasicTotal basic_total(Statements statements) {
  double delta = 0;
  for (const Statement& one : statements) delta = numeric::add_up(delta, numeric::multiply_up(one.times, one.delta));
  return {sum_of_epsilons(statements).upper, std::min(delta, 1.0)};
}

}  // namespace vernier::accounting
