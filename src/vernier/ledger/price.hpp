#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vernier/accounting/divergences.hpp"
#include "vernier/accounting/event.hpp"
#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::ledger {

// An amount of budget in whole quanta, which the ledger adds up, compares and stores: never in doubles.
struct Cost {
  std::int64_t epsilon = 0;
  std::int64_t delta = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
  friend Cost operator+(const Cost& a, const Cost& b) { return {a.epsilon + b.epsilon, a.delta + b.delta}; }
  friend Cost operator-(const Cost& a, const Cost& b) { return {a.epsilon - b.epsilon, a.delta - b.delta}; }
};

// Both amounts are within.
inline bool fits(const Cost& cost, const Cost& most) {
  return cost.epsilon <= most.epsilon && cost.delta <= most.delta;
}

// What a quantum of each amount is worth: the least power of ten of which the budget has no more than 10^18. So
// decimals stay exact (ten times 0.1 are 1), and a budget or a spend is rounded by less than 1e-17 of the budget.
class Quanta {
 public:
  static Quanta of(const numeric::Rational& epsilon, const numeric::Rational& delta);

  // Rounded up; what is more than 4e18 quanta, four budgets at least, is taken for 4e18.
  Cost spend(const numeric::Rational& epsilon, const numeric::Rational& delta) const;

  const Cost& budget() const { return budget_; }  // rounded down

  numeric::Rational epsilon(std::int64_t quanta) const;
  numeric::Rational delta(std::int64_t quanta) const;

 private:
  Quanta(numeric::Rational epsilon, numeric::Rational delta, Cost budget)
      : epsilon_(std::move(epsilon)), delta_(std::move(delta)), budget_(budget) {}
  numeric::Rational epsilon_;  // one quantum
  numeric::Rational delta_;
  Cost budget_;
};

enum class Accountant : std::uint8_t { pure, approximate, zcdp, rdp };
std::string_view name_of(Accountant accountant);  // as catalogs and ledgers write it: "zcdp"

// What the catalog allows, for ever. Releases under different relations do not add up, so a ledger has one.
struct Terms {
  Accountant accountant;
  numeric::Rational epsilon;
  numeric::Rational delta;
  privacy::Neighbours neighbours = privacy::Neighbours::add_remove;

  friend bool operator==(const Terms&, const Terms&) = default;
};

// As a sentence tells them: "epsilon 3, delta 1e-06, accountant zcdp and neighbours add-remove".
std::string told(const Terms& terms);

// One text for the first entry of a ledger, and back; `id` tells ledgers with the same terms apart.
std::string canonical(const Terms& terms, std::string_view id);
Result<Terms> terms_in(std::string_view canonical);

// How zcdp and rdp charge.
Result<accounting::OneOrder> one_order_of(const Terms& terms);

// All that follows from the terms, computed once.
struct Rules {
  Terms terms;
  Quanta quanta;
  Cost opening;         // of the first charge by divergence; nothing where the accountant has none
  std::string theorem;  // that lets the ledger add up what was chosen on the way
};
Result<Rules> rules_of(const Terms& terms);

bool charges_by_divergence(Accountant accountant);

// What a release costs, and how it is charged. A function of catalog, study and ledger, never of data.
// By its own total, or by its Rényi divergence of the one order that the terms fix. The first charge by divergence pays
// for the conversion too (accounting/adaptive.md, "One order beside sums").
enum class Manner : std::uint8_t { total, divergence };
std::string_view name_of(Manner manner);

// When the conversion may be paid for, as the steward says: where it pays itself back within ten such studies; never;
// or as soon as more of such studies could follow, however small they are. Once it is paid that does not matter.
enum class Opening : std::uint8_t { worthwhile, never, early };

// In each manner, rounded up. Only the accountants zcdp and rdp charge by divergence; what it costs to begin with that
// is not in it.
struct Price {
  Cost total;
  std::optional<Cost> divergence = {};
  Opening opening = Opening::worthwhile;
  bool needs_delta = false;  // nothing of the kind can be had without one: it has private keys, or a [[table]]
};

// The plan's own epsilon and delta.
struct Statement {
  numeric::Rational epsilon;
  numeric::Rational delta;
};

// The same without a delta, where the events have epsilons of their own that add up to hardly more (a thousandth); else
// as it is: ten geometric counts would use up a delta that none of them needs.
Statement without_delta(std::span<const accounting::Event> events, const Statement& total);

Result<Price> price(const Rules& rules, std::span<const accounting::Event> events, const Statement& total);

// What is left, of how much, and whether something was charged by divergence already.
struct Balance {
  Cost left;
  bool is_open = false;
  Cost most = {};
};

// For how many such studies a balance is enough, this one included: where the conversion is paid for now, and where all
// are charged by their totals.
struct Room {
  std::int64_t with_conversion = 0;
  std::int64_t by_totals = 0;

  friend bool operator==(const Room&, const Room&) = default;
};

// What a release takes from a balance, in the manner that leaves more for later ones.
struct Offer {
  Manner manner;
  Cost cost;
  Cost opening = {};  // of the cost: what is paid for the conversion, once
  Room room = {};     // what that buys; nothing where it is not paid now
};

// An error that tells what it costs and what is left where there is too little for either manner.
Result<Offer> offer_of(const Rules& rules, const Balance& balance, const Price& price);

}  // namespace vernier::ledger
