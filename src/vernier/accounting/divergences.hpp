#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::accounting {

// The Rényi divergences of a list of events, in the worse direction; beside them some losses may be infinite, with a
// chance that is spent as delta.
class Divergences {
 public:
  // None where an event has no law that is known.
  static std::optional<Divergences> of(std::span<const Event> events);

  double infinite() const { return infinite_; }  // the chance of an infinite loss, rounded up
  double operator()(double order) const;         // at this order, above 1, rounded up; infinite where it is not known

 private:
  double rho_ = 0;
  double infinite_ = 0;
  std::vector<std::vector<LossPart>> parts_;
};

// The directions in which a composition must be looked at: one where both have the same laws.
std::vector<Direction> directions(std::span<const Event> events);

// What a release takes out of a budget; rounded up.
struct Charge {
  numeric::Rational epsilon;
  numeric::Rational delta;
};

// Releases may be charged inside one budget of epsilon and delta, each chosen on the way, in two manners: by its own
// epsilon and delta, or by its Rényi divergence of one order that was fixed beforehand. The first charge by divergence
// also pays for the conversion, once. All together keep the budget (adaptive.md, "One order beside sums").
class OneOrder {
 public:
  // The order at which Gaussian noise gets the most out of this budget, with half of delta for the conversion. Refuses
  // a delta of 0.
  static Result<OneOrder> of(const numeric::Rational& epsilon, const numeric::Rational& delta);

  double order() const { return order_; }
  const Charge& opening() const { return opening_; }

  // By divergence; an error where a release has no law that is known.
  Result<Charge> charge(std::span<const Event> events) const;

 private:
  OneOrder(double order, Charge opening) : order_(order), opening_(std::move(opening)) {}
  double order_;
  Charge opening_;
};

}  // namespace vernier::accounting
