#pragma once

#include <optional>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"

// Odometers: no budget, but a statement at every moment about releases whose cost is chosen on the way. adaptive.md has
// the theorem and says what it promises.
namespace vernier::accounting {

// For zCDP spends: with a chance of at least 1 - delta the loss is at most epsilon() at **every** moment at once. So
// stopping at any moment, for whatever reason, leaves a statement of (epsilon(), delta).
class ZcdpOdometer {
 public:
  // delta above 0. It is split over sixteen orders, which serve totals of rho from 1e-6 to 1e3 about equally well; with
  // an expected total half of it goes to the order that is best there.
  static Result<ZcdpOdometer> of(privacy::Delta delta, std::optional<privacy::Rho> expected = std::nullopt);

  Result<void> spend(const numeric::Rational& rho);  // before the release; refuses what is negative
  double epsilon() const;                            // rounded up; 0 before the first spend
  const numeric::Rational& spent() const { return spent_; }

 private:
  // The bound of one order a: a rho + ln(1 / share of delta) / (a - 1), both numbers rounded up.
  struct Line {
    double slope;
    double offset;
  };
  explicit ZcdpOdometer(std::vector<Line> lines) : lines_(std::move(lines)) {}
  static Line best_line(double rho, double share);

  std::vector<Line> lines_;
  numeric::Rational spent_ = numeric::Rational::of(0);
};

// For pure spends: the sum of the epsilons, with certainty.
class PureOdometer {
 public:
  Result<void> spend(const numeric::Rational& epsilon);
  double epsilon() const { return spent_.round_up(); }
  const numeric::Rational& spent() const { return spent_; }

 private:
  numeric::Rational spent_ = numeric::Rational::of(0);
};

}  // namespace vernier::accounting
