#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"

namespace vernier::accuracy {

using vernier::Alpha;

// How many independent cells a statement holds for together: 1 to 1e9.
class Cells {
 public:
  static Result<Cells> of(std::int64_t value);
  static Cells one() { return Cells(1); }
  std::int64_t value() const { return value_; }

 private:
  explicit Cells(std::int64_t value) : value_(value) {}
  std::int64_t value_;
};

// A wanted accuracy: finite and not negative, at most 1e15; a whole number for integer noise, above 0 for real noise.
class Accuracy {
 public:
  static Result<Accuracy> of(double value);
  double value() const { return value_; }

 private:
  explicit Accuracy(double value) : value_(value) {}
  double value_;
};

}  // namespace vernier::accuracy
