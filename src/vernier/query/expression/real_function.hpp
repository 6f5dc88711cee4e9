#pragma once

#include <string>

#include "vernier/query/dialect/dialect.hpp"
#include "vernier/query/expression/expression.hpp"

// Roots, logarithms, powers of e, sines: total functions of reals; and days that are added. Those that are no roots
// differ between engines in their last digits, for which their spans have room.
namespace vernier::query {

// The date, and as many days as the second operand says, both as SQL. Within the years 1 to 9999 before they are added:
// beyond these some engines raise an error.
std::string later_day(const Expression& x, const std::string& date, const std::string& days, const Dialect& in);

// Of x as SQL, which is 0 where it is nearer to 0 than least_real.
std::string real_function(Operation operation, const std::string& x, const Dialect& in);

}  // namespace vernier::query
