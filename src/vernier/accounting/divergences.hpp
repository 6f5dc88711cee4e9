#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/loss_part.hpp"

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

}  // namespace vernier::accounting
