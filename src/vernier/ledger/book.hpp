#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "vernier/ledger/entry.hpp"
#include "vernier/ledger/shares.hpp"
#include "vernier/ledger/units.hpp"

namespace vernier::ledger {

// What a release is paid for with, and by whom.
struct Spend {
  std::string release;  // the release's id
  std::string study;    // what it is called
  std::string plan;     // the hash of the plan
  std::string unit;     // whom it protects
  Price price;
  std::string analyst = {};  // one of the shares, where there are any
  std::string request = {};  // an id of the asker's own: the same id gets the same answer, charged once
  Units tables = {};         // that it reads; none: nothing is said of them, as earlier versions did
};

// What the entries of a ledger add up to. It reads no file and knows no lock: it is fed entry after entry, in order,
// and refuses what does not follow, was changed, or spends more than there is.
class Book {
 public:
  // Begins with the first entry, which has the terms.
  static Result<Book> of(const Entry& first);

  // The next entry. After an error the book is as it was.
  Result<void> take(const Entry& entry);

  // Makes it the next entry, by its index and its hash, and takes it.
  Result<void> write(Entry& entry);

  // What a spend would cost, as of now: an error where total or share have too little.
  Result<Offer> offer(const Spend& spend) const;

  const Rules& rules() const { return rules_; }
  const Position& position() const { return position_; }
  const std::string& id() const { return id_; }  // the hash of the first entry
  const Balance& balance() const { return balance_; }
  const Shares& shares() const { return shares_; }
  const BoundUnits& units() const { return units_; }
  const std::map<std::string, Cost, std::less<>>& spent_by() const { return spent_by_; }
  Cost spent_by(std::string_view analyst) const;

  // What the analyst may still spend; an error for somebody who has no share, while others have.
  Result<Balance> balance_of(const std::string& analyst) const;

 private:
  Book(Rules rules, Position position);
  Result<void> take_content(const Entry& entry);
  Result<void> take_reserve(const Entry& entry);
  Result<void> check_reserve(const Entry& entry) const;
  Result<Units> new_units_in(const Entry& entry) const;
  Rules rules_;
  Position position_;
  std::string id_;
  Balance balance_;
  Shares shares_;
  std::map<std::string, Cost, std::less<>> spent_by_;
  BoundUnits units_;
  std::set<std::string, std::less<>> seen_units_;  // the texts that were read: what they bind stays
};

// What so many releases cost together.
struct Spending {
  Cost cost = {};
  std::int64_t releases = 0;
};

// Who spent what, on what and how, and what was answered: for people. It is fed entries that a book has taken, in their
// order.
class Summary {
 public:
  void take(const Entry& entry);

  using Parts = std::map<std::string, Spending, std::less<>>;
  const Spending& all() const { return all_; }
  const Parts& by_analyst() const { return by_analyst_; }  // "" where nobody was named
  const Parts& by_study() const { return by_study_; }
  const Spending& by_total() const { return by_total_; }
  const Spending& by_divergence() const { return by_divergence_; }  // the first of these paid for the conversion, too

  std::int64_t answered() const { return answered_; }
  const std::map<std::string, Entry, std::less<>>& unanswered() const { return unanswered_; }  // by release
  std::int64_t strays() const { return strays_; }        // answers to releases that nobody paid for
  std::int64_t last_time() const { return last_time_; }  // as the clock said

 private:
  void take_reserve(const Entry& entry);
  Spending all_;
  Parts by_analyst_;
  Parts by_study_;
  Spending by_total_;
  Spending by_divergence_;
  std::int64_t answered_ = 0;
  std::int64_t strays_ = 0;
  std::int64_t last_time_ = 0;
  std::map<std::string, Entry, std::less<>> unanswered_;
};

}  // namespace vernier::ledger
