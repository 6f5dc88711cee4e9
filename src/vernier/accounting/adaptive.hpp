#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"

// Filters: releases whose cost is chosen on the way, after earlier answers were seen, within a budget that was fixed
// beforehand. A spend is asked for **before** its release; what a filter refuses must not be released. adaptive.md says
// which filter proves what.
namespace vernier::accounting {

// One amount that is added up, and how much of it there may be in all.
struct Cap {
  std::string name;        // as a sentence names it: "epsilon"
  numeric::Rational most;  // not negative
};

// Exact sums under caps: a spend passes where every sum stays within its cap, equality included. Amounts that are
// doubles or decimals keep the sums short, so that a spend costs the same at any time.
class Filter {
 public:
  // The theorem is what answers and ledgers cite.
  static Result<Filter> of(std::string theorem, std::vector<Cap> caps);

  // One amount for each cap, none negative. A refused spend changes nothing, and its sentence tells what is left.
  Result<void> spend(std::span<const numeric::Rational> amounts);
  Result<void> check(std::span<const numeric::Rational> amounts) const;  // would it pass?

  std::string_view theorem() const { return theorem_; }
  const std::vector<Cap>& caps() const { return caps_; }
  const std::vector<numeric::Rational>& spent() const { return spent_; }
  numeric::Rational left(std::size_t i) const { return caps_[i].most - spent_[i]; }

 private:
  Filter(std::string theorem, std::vector<Cap> caps, std::vector<numeric::Rational> spent)
      : theorem_(std::move(theorem)), caps_(std::move(caps)), spent_(std::move(spent)) {}
  std::string theorem_;
  std::vector<Cap> caps_;
  std::vector<numeric::Rational> spent_;
};

// Amounts {epsilon}: all together are epsilon-private.
Result<Filter> pure_filter(const numeric::Rational& epsilon);

// Amounts {epsilon, delta}: all together are (epsilon, delta)-private.
Result<Filter> approximate_filter(const numeric::Rational& epsilon, const numeric::Rational& delta);

// Amounts {rho, delta}: all together are rho-zCDP, outside of a chance delta.
Result<Filter> zcdp_filter(const numeric::Rational& rho, const numeric::Rational& delta);

// Amounts {divergence at each order, rounded up}: all together have at most the cap's divergence at every order at
// once.
struct RenyiCap {
  double order;  // above 1
  numeric::Rational divergence;
};
Result<Filter> rdp_filter(std::span<const RenyiCap> caps);

// Amounts {mu^2}: all together are mu-Gaussian-private with mu^2 the cap, so that the exact curve of one Gaussian
// holds.
Result<Filter> gaussian_filter(const numeric::Rational& squared_mu);

// Odometers: no budget, but a statement at every moment about releases whose cost is chosen on the way. adaptive.md has
// the theorem and says what it promises.

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
