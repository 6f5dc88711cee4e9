#pragma once

#include <cstdint>
#include <filesystem>
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

// What releases cost in the filter's amounts, each rounded up. `epsilon` and `delta` are the plan's own total, which
// the approximate filter charges.
struct Statement {
  numeric::Rational epsilon;
  numeric::Rational delta;
};
Result<std::vector<numeric::Rational>> price(const Terms& terms, std::span<const accounting::Event> events,
                                             const Statement& total);

struct Receipt {
  std::int64_t index;  // of the entry, from 1 on
  std::string head;    // the hash of all entries up to it, in hex
};

struct Entry {
  std::string release;  // the release's id
  std::string study;    // what it is called
  std::string plan_hash;
  std::vector<numeric::Rational> amounts;
};

// A file of one line per entry, each with the hash of all before it, that one process at a time may write.
class Ledger {
 public:
  // Opens or begins the ledger. An error where its terms are others than these, or a line does not hold.
  static Result<Ledger> open(const std::filesystem::path& path, const Terms& terms);

  // Writes the spend durably, or refuses it and tells what is left.
  Result<Receipt> reserve(const Entry& entry);

  const Terms& terms() const { return terms_; }

  // What is spent and left, as of the last look at the file.
  const accounting::Filter& filter() const { return filter_; }

 private:
  Ledger(std::filesystem::path path, Terms terms, accounting::Filter filter)
      : path_(std::move(path)), terms_(std::move(terms)), filter_(std::move(filter)) {}
  std::filesystem::path path_;
  Terms terms_;
  accounting::Filter filter_;
};

}  // namespace vernier::ledger
