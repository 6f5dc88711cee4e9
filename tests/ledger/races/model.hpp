#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vernier/ledger/ledger.hpp"

namespace vernier::testing {

// What a ledger is, without stores, chains, witnesses or locks: a list in the memory, with sums. It decides by itself,
// in words that outcomes of the real one are told in, too.
class Model {
 public:
  explicit Model(ledger::Cost budget) : budget_(budget), left_(budget) {}

  // Analysts have quarters of the budget.
  using Quarters = std::map<std::string, int>;

  std::string reserve(const ledger::Spend& spend, std::int64_t time);
  std::string settle(const std::string& release, const ledger::Documents& documents, std::int64_t time);
  void open(const Quarters& quarters, std::int64_t time);  // begins the ledger, divides it anew

  std::int64_t entries() const { return static_cast<std::int64_t>(times_.size()); }
  const std::vector<std::int64_t>& times() const { return times_; }
  const ledger::Cost& left() const { return left_; }
  const std::map<std::string, ledger::Cost>& spent() const { return spent_; }

  struct Paid {
    ledger::Spend spend;
    std::int64_t index;
    std::optional<ledger::Documents> answer = {};
  };
  const std::vector<Paid>& paid() const { return paid_; }

 private:
  bool fits_share(const ledger::Spend& spend) const;
  ledger::Cost budget_;
  ledger::Cost left_;
  Quarters quarters_;
  std::map<std::string, ledger::Cost> spent_;
  std::vector<Paid> paid_;
  std::vector<std::int64_t> times_;  // of each entry
};

// The same words for what a ledger did.
std::string told(const Result<ledger::Reservation>& reservation);
std::string told(const Result<ledger::Receipt>& receipt);

}  // namespace vernier::testing
