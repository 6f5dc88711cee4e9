#pragma once

#include "vernier/core/result.hpp"

namespace vernier {

// A number that carries its rule in its type: built once through `of`, valid ever after.
//     struct Epsilon : Checked<Epsilon> {
//       static Result<void> check(double value);  // the rule
//     };
template <class Self, class Number = double>
class Checked {
 public:
  static Result<Self> of(Number value) {
    VERNIER_TRY(Self::check(value));
    return made(value);
  }
  Number value() const { return value_; }

 protected:
  static Self made(Number value) { return Self{Checked(value)}; }  // of a value that keeps the rule

 private:
  explicit Checked(Number value) : value_(value) {}
  Number value_;
};

}  // namespace vernier
