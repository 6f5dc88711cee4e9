#include "vernier/accuracy/parameters.hpp"

#include <cmath>
#include <string>

#include "vernier/core/text.hpp"

namespace vernier::accuracy {
namespace {

constexpr double least_alpha = 1e-300, greatest_alpha = 0.999;
constexpr double greatest_accuracy = 1e15;
constexpr std::int64_t greatest_cells = 1'000'000'000;

}  // namespace

// The comparisons refuse NaN as well. The decimal 1e-300, rounded down, may be the double before it, and still counts.
Result<Alpha> Alpha::of(double value) {
  if (value >= std::nextafter(least_alpha, 0) && value <= greatest_alpha) return Alpha(value);
  return invalid("alpha must be a number between " + shortest(least_alpha) + " and " + shortest(greatest_alpha) +
                 ", but it is " + shortest(value));
}

Result<Cells> Cells::of(std::int64_t value) {
  if (value >= 1 && value <= greatest_cells) return Cells(value);
  return invalid("the number of cells must be a whole number from 1 to " + std::to_string(greatest_cells) +
                 ", but it is " + std::to_string(value));
}

Result<Accuracy> Accuracy::of(double value) {
  if (value >= 0 && value <= greatest_accuracy) return Accuracy(value);
  return invalid("the accuracy must be a number between 0 and " + shortest(greatest_accuracy) + ", but it is " +
                 shortest(value));
}

}  // namespace vernier::accuracy
