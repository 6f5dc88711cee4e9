#include "vernier/noise/integer_scale.hpp"

#include "vernier/core/text.hpp"

namespace vernier::noise {

Result<double> integer_scale(double scale) {
  if (scale >= least_integer_scale && scale <= greatest_integer_scale) return scale;
  return invalid("the scale of an integer law must lie between " + shortest(least_integer_scale) + " and " +
                 shortest(greatest_integer_scale) + ", but it is " + shortest(scale));
}

}  // namespace vernier::noise
