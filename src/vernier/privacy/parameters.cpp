#include "vernier/privacy/parameters.hpp"

#include <cmath>
#include <string>

#include "vernier/core/text.hpp"

namespace vernier::privacy {
namespace {

constexpr double least_epsilon = 1e-10, greatest_epsilon = 1e4;
constexpr double least_delta = 1e-300, greatest_delta = 0.5;
constexpr double least_rho = 1e-20, greatest_rho = 1e8;
constexpr double greatest_sensitivity = 1e100;

// The decimals 1e-10 and 1e-300, rounded down, are the doubles before those of the range, and still count. NaN does
// not.
bool lies_between(double value, double least, double greatest) {
  return value >= std::nextafter(least, 0) && value <= greatest;
}

Result<void> within(const std::string& name, double value, double least, double greatest) {
  if (lies_between(value, least, greatest)) return {};
  return invalid(
      name,
      "must be a number between " + shortest(least) + " and " + shortest(greatest) + ", but it is " + shortest(value),
      {});
}

}  // namespace

Result<void> Epsilon::check(double value) {
  return within(parameter("epsilon"), value, least_epsilon, greatest_epsilon);
}

Result<void> Delta::check(double value) {
  if (value == 0 || lies_between(value, least_delta, greatest_delta)) return {};
  return invalid(parameter("delta"), "must be 0 or a number between 1e-300 and 0.5, but it is " + shortest(value), {});
}

Result<void> check_sensitivity(double value) {
  return within("the sensitivity", value, 1 / greatest_sensitivity, greatest_sensitivity);
}

Result<void> IntegerSensitivity::check(std::int64_t value) {
  constexpr std::int64_t greatest = std::int64_t{1} << 53;
  if (value >= 1 && value <= greatest) return {};
  return invalid("the sensitivity of an integer statistic",
                 "must be a whole number from 1 to 2^53, but it is " + std::to_string(value), {});
}

Result<void> Rho::check(double value) { return within(parameter("rho"), value, least_rho, greatest_rho); }

Result<void> SamplingRate::check(double value) {
  if (value > 0 && value <= 1) return {};
  return invalid("the sampling rate", "must be above 0 and at most 1, but it is " + shortest(value), {});
}

std::string_view name_of(Neighbours neighbours) { return neighbours == Neighbours::replace ? "replace" : "add-remove"; }

}  // namespace vernier::privacy
