#include "vernier/accuracy/parameters.hpp"

#include <string>

#include "vernier/core/text.hpp"

namespace vernier::accuracy {
namespace {

constexpr double greatest_accuracy = 1e15;
constexpr std::int64_t greatest_cells = 1'000'000'000;

}  // namespace

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
