#pragma once

#include "vernier/numeric/double_double.hpp"

namespace vernier::accounting {

// A change of a logarithm: abs(value - exact) <= units 2^-53.
struct Change {
  double value;
  double units;
};

// How a function leaves its value at one place, and a straight line through it.
struct Bend {
  Change change;
  Change from_line;
};

// R(w) = ln(1 - q + q e^w), the log ratio that Poisson sampling at rate q makes of a log ratio w, known near one place
// w0: its value there, and the share q e^w0 / (1 - q + q e^w0) of the sampled part, from which every other value
// follows without cancellation, R(w0 + m) - R(w0) = ln(outside + inside e^m). node_law.md has the error bounds.
class Mixture {
 public:
  // For 0 < rate <= 1; w0 is exact up to 2^-100 relatively.
  static Mixture at(double rate, const numeric::DoubleDouble& w0);

  const numeric::DoubleDouble& value() const { return value_; }  // R(w0)
  double value_error() const { return value_error_; }
  double inside() const { return inside_; }
  double outside() const { return outside_; }
  double log_inside() const { return log_inside_; }

  // The straight line that R follows on the side of w0: R(w0) + line (w - w0).
  double line() const { return inside_ > outside_ ? 1 : 0; }
  // R(w0 + move) - R(w0), and the same less the line, where the move is known to `move_units` 2^-53 relatively.
  Bend bend(double move, double move_units) const;

  // The least value of R, at w = -infinity, less R(w0); for rates below 1.
  Change change_to_outside() const;

 private:
  Bend near_outside(double move, double move_units) const;
  Bend near_inside(double move, double move_units) const;
  Bend from_change(const Change& change, double move, double move_units) const;
  Change far(double move, double move_units) const;

  numeric::DoubleDouble value_{};
  double value_error_ = 0;
  double inside_ = 0;
  double outside_ = 0;
  double log_inside_ = 0;
  double log_outside_ = 0;
};

}  // namespace vernier::accounting
