#pragma once

#include <cmath>

namespace vernier::numeric {

// A positive number that was tried, and the logarithm of what was found there over what is allowed.
struct ScaleTrial {
  double at;
  double excess;
  bool holds;  // so where the excess is not above 0
};

// The least positive number that holds, between one that was seen not to hold and a larger one that was seen to: where
// to look next, until both are within the precision. Mostly secants in (ln at, excess), every third time the middle, so
// that no shape of the excess makes it slow.
class ScaleBracket {
 public:
  explicit ScaleBracket(double precision) : precision_(precision) {}

  void put(const ScaleTrial& trial) {
    (trial.holds ? yes_ : no_) = trial;
    last_held_ = trial.holds;
  }

  const ScaleTrial& yes() const { return yes_; }
  const ScaleTrial& no() const { return no_; }
  bool is_narrow() const { return yes_.at <= no_.at * (1 + precision_); }
  double next() { return ++steps_ % 3 == 0 ? middle() : aimed(); }

 private:
  double middle() const { return std::sqrt(no_.at) * std::sqrt(yes_.at); }

  // Where the line through both ends is 0, and a little beyond, so that the end moves that did not move before.
  double aimed() const {
    const double share = no_.excess / (no_.excess - yes_.excess);
    const double root = no_.at * std::pow(yes_.at / no_.at, share);
    const double aim = root * (last_held_ ? 1 - precision_ / 3 : 1 + precision_ / 3);
    return aim > no_.at && aim < yes_.at ? aim : middle();  // NaN too
  }

  double precision_;
  ScaleTrial no_{}, yes_{};
  bool last_held_ = false;
  int steps_ = 0;
};

}  // namespace vernier::numeric
