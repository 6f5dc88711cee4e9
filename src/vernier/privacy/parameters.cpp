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

Result<double> within(const char* name, double value, double least, double greatest) {
  if (lies_between(value, least, greatest)) return value;
  return invalid(std::string(name) + " must be a number between " + shortest(least) + " and " + shortest(greatest) +
                 ", but it is " + shortest(value));
}

Result<double> checked_sensitivity(double value) {
  return within("the sensitivity", value, 1 / greatest_sensitivity, greatest_sensitivity);
}

}  // namespace

Result<Epsilon> Epsilon::of(double value) {
  return within("epsilon", value, least_epsilon, greatest_epsilon).map([](double v) { return Epsilon(v); });
}

Result<Delta> Delta::of(double value) {
  if (value == 0) return zero();
  if (lies_between(value, least_delta, greatest_delta)) return Delta(value);
  return invalid("delta must be 0 or a number between 1e-300 and 0.5, but it is " + shortest(value));
}

Result<L1Sensitivity> L1Sensitivity::of(double value) {
  return checked_sensitivity(value).map([](double v) { return L1Sensitivity(v); });
}

Result<L2Sensitivity> L2Sensitivity::of(double value) {
  return checked_sensitivity(value).map([](double v) { return L2Sensitivity(v); });
}

Result<IntegerSensitivity> IntegerSensitivity::of(std::int64_t value) {
  constexpr std::int64_t greatest = std::int64_t{1} << 53;
  if (value >= 1 && value <= greatest) return IntegerSensitivity(value);
  return invalid("the sensitivity of an integer statistic must be a whole number from 1 to 2^53, but it is " +
                 std::to_string(value));
}

Result<Rho> Rho::of(double value) {
  return within("rho", value, least_rho, greatest_rho).map([](double v) { return Rho(v); });
}

Result<SamplingRate> SamplingRate::of(double value) {
  if (value > 0 && value <= 1) return SamplingRate(value);
  return invalid("the sampling rate must be above 0 and at most 1, but it is " + shortest(value));
}

std::string_view name_of(Neighbours neighbours) { return neighbours == Neighbours::replace ? "replace" : "add-remove"; }

}  // namespace vernier::privacy
