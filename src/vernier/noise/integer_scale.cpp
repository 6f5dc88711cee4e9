#include "vernier/noise/integer_scale.hpp"

#include <cmath>

#include "vernier/core/text.hpp"

namespace vernier::noise {

// The decimal 0.001 lies below its nearest double: rounded down, for safety, it is the double before, and is taken too.
Result<double> integer_scale(double scale) {
  if (scale >= std::nextafter(least_integer_scale, 0) && scale <= greatest_integer_scale) return scale;
  return invalid("the scale of an integer law must lie between " + shortest(least_integer_scale) + " and " +
                 shortest(greatest_integer_scale) + ", but it is " + shortest(scale));
}

}  // namespace vernier::noise
