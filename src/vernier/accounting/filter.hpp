#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"

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

}  // namespace vernier::accounting
