#pragma once

#include <cstdint>
#include <string_view>

#include "vernier/core/types.hpp"

// The words of a privacy statement, each with its rule. A value that a user writes in decimals is rounded toward safety
// before it comes here; these take the double as it is.
namespace vernier::privacy {

// epsilon of a stated budget: between 1e-10 and 1e4.
struct Epsilon : Checked<Epsilon> {
  static Result<void> check(double value);
};

// delta of a stated budget: 0 (a pure statement), or between 1e-300 and 0.5.
struct Delta : Checked<Delta> {
  static Result<void> check(double value);
  static Delta zero() { return made(0); }
  bool is_pure() const { return value() == 0; }
};

// A real sensitivity is positive and at most 1e100.
Result<void> check_sensitivity(double value);

// How far one unit moves a statistic, summed over its coordinates in absolute value.
struct L1Sensitivity : Checked<L1Sensitivity> {
  static Result<void> check(double value) { return check_sensitivity(value); }
};

// The same by the root of the sum of squares.
struct L2Sensitivity : Checked<L2Sensitivity> {
  static Result<void> check(double value) { return check_sensitivity(value); }
};

// How far one unit moves an integer statistic: a whole number, at least 1, that a double holds exactly (up to 2^53).
struct IntegerSensitivity : Checked<IntegerSensitivity, std::int64_t> {
  static Result<void> check(std::int64_t value);
};

// rho of zero-concentrated privacy (Bun and Steinke 2016): between 1e-20 and 1e8.
struct Rho : Checked<Rho> {
  static Result<void> check(double value);
};

// The chance with which each unit enters a Poisson sample: above 0 and at most 1, where 1 is no sampling at all.
struct SamplingRate : Checked<SamplingRate> {
  static Result<void> check(double value);
  static SamplingRate everyone() { return made(1); }
  bool is_everyone() const { return value() == 1; }
};

// Which two data sets must be hard to tell apart: those that differ by one unit's presence, or by one unit's content.
// A sensitivity is always meant under the relation it is used with.
enum class Neighbours : std::uint8_t { add_remove, replace };

// "add-remove" or "replace": the same word in files, options and answers.
std::string_view name_of(Neighbours neighbours);

}  // namespace vernier::privacy
