#pragma once

#include <optional>
#include <span>

#include "vernier/accounting/event.hpp"
#include "vernier/ledger/terms.hpp"

// What a release costs, and how it is charged. A function of catalog, study and ledger, never of data.
namespace vernier::ledger {

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
};

// The plan's own epsilon and delta.
struct Statement {
  numeric::Rational epsilon;
  numeric::Rational delta;
};

// The same without a delta, where the events have epsilons of their own that add up to hardly more (a thousandth); else
// as it is. For studies that name no delta: ten geometric counts would use up one that none of them needs.
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
