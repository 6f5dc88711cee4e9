#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/core/types.hpp"

namespace vernier::accounting {

enum class Method : std::uint8_t {
  basic,              // epsilons and deltas add
  advanced,           // Dwork, Rothblum and Vadhan 2010, with the constants of Kairouz, Oh and Viswanath 2015
  optimal,            // of pure and approximate statements alone: Kairouz, Oh, Viswanath; Murtagh and Vadhan 2016
  zcdp,               // Bun and Steinke 2016, converted as by Canonne, Kamath and Steinke 2020
  rdp,                // Mironov 2017, over a dense set of orders, likewise converted
  loss_distribution,  // the law of the summed loss itself
  closed_form,        // one release, or Gaussians alone: nothing is approximated
};

// As the command line and JSON write it: "loss-distribution".
std::string_view name_of(Method method);

// How far apart, relatively to epsilon, the two ends may be; between 1e-9 and 0.1. Where it costs next to nothing they
// come out closer.
struct Tightness : Checked<Tightness> {
  static Result<void> check(double value);
  static Tightness usual() { return made(1e-5); }
};

// The exact figure of the worst releases with these properties lies in the bounds.
struct Guarantee {
  Bounds bounds;  // of epsilon at the delta asked, or of delta at the epsilon asked; each from 0 on
  Method method;  // that proves the upper end
};

// What one method proves, from above; none where it does not apply to the events.
struct MethodFigure {
  Method method;
  std::optional<double> upper;
};

// A fixed list of events, or one whose parameters were fixed beforehand: which questions are asked may depend on
// earlier answers, how much each may give away may not (that needs a filter; accountant.md).
class Accountant {
 public:
  // Refuses an empty list and one that mixes neighbour relations.
  static Result<Accountant> of(std::vector<Event> events);

  privacy::Neighbours neighbours() const { return events_.front().neighbours(); }
  const std::vector<Event>& events() const { return events_; }

  // The least epsilon at this delta. An error where no epsilon does (delta 0 for Gaussian noise, or a delta that is not
  // above the chance of an infinite loss), or where it cannot be certified.
  Result<Guarantee> epsilon(privacy::Delta delta, Tightness tightness = Tightness::usual()) const;
  // The least delta at this epsilon.
  Result<Guarantee> delta(privacy::Epsilon epsilon, Tightness tightness = Tightness::usual()) const;

  // What every method says, in the order of Method. What `epsilon` or `delta` answered to the same question is not
  // worked out again, if it is given.
  std::vector<MethodFigure> epsilons(privacy::Delta delta, Tightness tightness = Tightness::usual(),
                                     const std::optional<Guarantee>& known = std::nullopt) const;
  std::vector<MethodFigure> deltas(privacy::Epsilon epsilon, Tightness tightness = Tightness::usual(),
                                   const std::optional<Guarantee>& known = std::nullopt) const;

 private:
  explicit Accountant(std::vector<Event> events) : events_(std::move(events)) {}
  std::optional<Result<Bounds>> closed_epsilon(privacy::Delta delta) const;
  // What the methods say that need no sum of losses.
  std::vector<MethodFigure> simple_epsilons(privacy::Delta delta) const;
  std::vector<MethodFigure> simple_deltas(privacy::Epsilon epsilon) const;
  std::vector<Event> events_;
};

}  // namespace vernier::accounting
