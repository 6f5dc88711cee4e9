#pragma once

#include <array>
#include <cstddef>

namespace vernier::accounting {

// Where the log density -x^2/2 + shift x + power R(mu x - mu^2/2) may have its peaks, R(w) = ln(1 - q + q e^w). Its
// slope shift - x + power mu p(x), p the logistic share, is 0 at most three times: a logistic meets a line so often.
// So there are at most two peaks, each enclosed in a narrow bracket on which the log density is concave.
class LogisticPeaks {
 public:
  struct Bracket {
    double left;
    double right;
  };

  LogisticPeaks(double rate, double mu, double power, double shift);

  double slope(double x) const;
  const Bracket* begin() const { return peaks_.data(); }
  const Bracket* end() const { return peaks_.data() + count_; }

 private:
  double share(double x) const;
  void add_peak_between(double left, double right);  // slope(left) >= 0 >= slope(right), falling

  double mu_;
  double power_;
  double shift_;
  double log_odds_;  // of the share at x = 0
  std::array<Bracket, 2> peaks_{};
  std::size_t count_ = 0;
};

}  // namespace vernier::accounting
