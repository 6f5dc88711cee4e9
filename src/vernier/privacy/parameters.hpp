#pragma once

#include <cstdint>
#include <string_view>

#include "vernier/core/types.hpp"

// The words of a privacy statement, each with its rule. A value that a user writes in decimals is rounded toward safety
// before it comes here; these take the double as it is.
namespace vernier::privacy {

// epsilon of a stated budget: between 1e-10 and 1e4.
class Epsilon {
 public:
  static Result<Epsilon> of(double value);
  double value() const { return value_; }

 private:
  explicit Epsilon(double value) : value_(value) {}
  double value_;
};

// delta of a stated budget: 0 (a pure statement), or between 1e-300 and 0.5.
class Delta {
 public:
  static Result<Delta> of(double value);
  static Delta zero() { return Delta(0); }
  double value() const { return value_; }
  bool is_pure() const { return value_ == 0; }

 private:
  explicit Delta(double value) : value_(value) {}
  double value_;
};

// How far one unit moves a statistic, summed over its coordinates in absolute value: positive and at most 1e100.
class L1Sensitivity {
 public:
  static Result<L1Sensitivity> of(double value);
  double value() const { return value_; }

 private:
  explicit L1Sensitivity(double value) : value_(value) {}
  double value_;
};

// The same by the root of the sum of squares.
class L2Sensitivity {
 public:
  static Result<L2Sensitivity> of(double value);
  double value() const { return value_; }

 private:
  explicit L2Sensitivity(double value) : value_(value) {}
  double value_;
};

// How far one unit moves an integer statistic: a whole number, at least 1, that a double holds exactly (up to 2^53).
class IntegerSensitivity {
 public:
  static Result<IntegerSensitivity> of(std::int64_t value);
  std::int64_t value() const { return value_; }

 private:
  explicit IntegerSensitivity(std::int64_t value) : value_(value) {}
  std::int64_t value_;
};

// rho of zero-concentrated privacy (Bun and Steinke 2016): between 1e-20 and 1e8.
class Rho {
 public:
  static Result<Rho> of(double value);
  double value() const { return value_; }

 private:
  explicit Rho(double value) : value_(value) {}
  double value_;
};

// The chance with which each unit enters a Poisson sample: above 0 and at most 1, where 1 is no sampling at all.
class SamplingRate {
 public:
  static Result<SamplingRate> of(double value);
  static SamplingRate everyone() { return SamplingRate(1); }
  double value() const { return value_; }
  bool is_everyone() const { return value_ == 1; }

 private:
  explicit SamplingRate(double value) : value_(value) {}
  double value_;
};

// Which two data sets must be hard to tell apart: those that differ by one unit's presence, or by one unit's content.
// A sensitivity is always meant under the relation it is used with.
enum class Neighbours : std::uint8_t { add_remove, replace };

// "add-remove" or "replace": the same word in files, options and answers.
std::string_view name_of(Neighbours neighbours);

}  // namespace vernier::privacy
