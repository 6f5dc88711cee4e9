#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vernier/ledger/entry.hpp"

namespace vernier::ledger {

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
