#include "vernier/accounting/loss/logistic_peaks.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::accounting {

LogisticPeaks::LogisticPeaks(double rate, double mu, double power, double shift)
    : mu_(mu), power_(power), shift_(shift), log_odds_(std::log(rate) - std::log1p(-rate) - mu * mu / 2) {
  const double first = std::min(shift, shift + power * mu), last = std::max(shift, shift + power * mu);
  const double steepness = power * mu * mu;
  if (!(steepness > 4) || std::isinf(log_odds_)) {
    add_peak_between(first, last);
    return;
  }
  // The slope rises only where share (1 - share) > 1 / steepness: between these two.
  const double root = std::sqrt(1 - 4 / steepness);
  const double middle = -log_odds_ / mu, half = (2 * std::log1p(root) - std::log(4 / steepness)) / mu;
  const double rises = middle - half, falls = middle + half;
  if (rises > first && slope(rises) <= 0) add_peak_between(first, rises);
  if (falls < last && slope(falls) >= 0) add_peak_between(falls, last);
  if (count_ == 0) add_peak_between(first, last);
}

double LogisticPeaks::share(double x) const { return 1 / (1 + std::exp(-(log_odds_ + mu_ * x))); }

double LogisticPeaks::slope(double x) const { return shift_ - x + power_ * mu_ * share(x); }

// Newton's steps inside a bracket that also shrinks by halving.
void LogisticPeaks::add_peak_between(double left, double right) {
  double x = 0.5 * (left + right);
  for (int step = 0; step < 100 && right - left > 1e-3 / (1 + mu_); ++step) {
    const double s = slope(x), p = share(x), bend = -1 + power_ * mu_ * mu_ * p * (1 - p);
    (s > 0 ? left : right) = x;
    const double newton = x - s / bend, nudge = (s > 0 ? 2e-4 : -2e-4) / (1 + mu_);
    const bool use = bend < 0 && newton + nudge > left && newton + nudge < right && step % 4 != 3;
    x = use ? newton + nudge : 0.5 * (left + right);
  }
  peaks_[count_++] = {left, right};
}

}  // namespace vernier::accounting
