#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/filter.hpp"
#include "vernier/core/result.hpp"
#include "vernier/numeric/rational.hpp"
#include "vernier/privacy/parameters.hpp"

// What may be spent, and what was. A spend is written before data is read, and is never given back.
namespace vernier::ledger {

enum class Accountant : std::uint8_t { pure, approximate, zcdp, rdp };

// What the catalog allows, for ever.
struct Terms {
  Accountant accountant;
  numeric::Rational epsilon;
  numeric::Rational delta;
};

// The filter of the terms, with what it adds up.
Result<accounting::Filter> filter_of(const Terms& terms);

// How a release is charged: by its own total, or by its Rényi divergence of the one order that the terms fix. The first
// charge by divergence pays for the conversion too (accounting/adaptive.md, "One order beside sums").
enum class Manner : std::uint8_t { total, divergence };

// What releases cost in each manner, in the filter's amounts, each rounded up. Only the accountants zcdp and rdp charge
// by divergence; what it costs to begin with that is not in it.
struct Price {
  std::vector<numeric::Rational> total;
  std::optional<std::vector<numeric::Rational>> divergence = {};
};

// `total` is the plan's own epsilon and delta.
struct Statement {
  numeric::Rational epsilon;
  numeric::Rational delta;
};
Result<Price> price(const Terms& terms, std::span<const accounting::Event> events, const Statement& total);

// What is spent, and whether something was charged by divergence already.
struct Balance {
  accounting::Filter filter;
  bool is_open = false;
};
Result<Balance> untouched(const Terms& terms);

// What a release would take from a balance, in the manner that leaves more for later ones. An error that tells what it
// costs and what is left where there is too little for either.
struct Offer {
  Manner manner;
  std::vector<numeric::Rational> amounts;
};
Result<Offer> offer_of(const Terms& terms, const Balance& balance, const Price& price);

struct Receipt {
  std::int64_t index;  // of the entry, from 1 on
  std::string head;    // the hash of all entries up to it, in hex
};

struct Spend {
  std::string release;  // the release's id
  std::string study;    // what it is called
  std::string plan_hash;
  Price price;
};

// A file of one line per entry, each with the hash of all before it, that one process at a time may write.
class Ledger {
 public:
  // Opens or begins the ledger. An error where its terms are others than these, or a line does not hold.
  static Result<Ledger> open(const std::filesystem::path& path, const Terms& terms);

  // Writes the spend durably, or refuses it and tells what is left.
  Result<Receipt> reserve(const Spend& spend);

  const Terms& terms() const { return terms_; }

  // What is spent and left, as of the last look at the file.
  const Balance& balance() const { return balance_; }
  const accounting::Filter& filter() const { return balance_.filter; }

 private:
  Ledger(std::filesystem::path path, Terms terms, Balance balance)
      : path_(std::move(path)), terms_(std::move(terms)), balance_(std::move(balance)) {}
  std::filesystem::path path_;
  Terms terms_;
  Balance balance_;
};

}  // namespace vernier::ledger
