#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>

#include "ledger/simulated_disk.hpp"
#include "vernier/ledger/ledger.hpp"

// Somebody who spends from a ledger on a disk that fails, and who writes down what was acknowledged.
namespace vernier::testing {

// A release that was paid for.
struct Paid {
  ledger::Spend spend;
  std::optional<ledger::Receipt> receipt;       // none: the ledger did not say whether it was granted
  ledger::Documents answer = {};                // none: it was not tried to settle it
  std::optional<ledger::Receipt> settled = {};  // none where there is an answer: the ledger did not say
};

class LedgerClient {
 public:
  explicit LedgerClient(std::uint64_t seed) : chance_(seed) {}

  static ledger::Terms terms();  // 60 of epsilon, of which a release takes 1 to 5
  static ledger::Cost budget();
  static ledger::Spend spend_of(int number, int units);

  // The ledger on this disk, begun where there is none.
  static Result<std::unique_ptr<ledger::Store>> store_on(const SimulatedDisk& disk);
  static Result<std::unique_ptr<ledger::Ledger>> open(std::unique_ptr<ledger::Store> store,
                                                      const ledger::WitnessPlace& witness = {});
  static Result<std::unique_ptr<ledger::Ledger>> open(const SimulatedDisk& disk);

  // Reserves, settles or asks again, as chance has it. An error is one of the disk: the client writes down that it is
  // in doubt. What is refused although there is enough, or answered otherwise than before, is a complaint.
  Result<void> act(ledger::Ledger& ledger);

  Result<void> reserve(ledger::Ledger& ledger, int units);
  Result<void> settle(ledger::Ledger& ledger, const std::string& release, std::size_t size);
  Result<void> ask_again(ledger::Ledger& ledger, const std::string& release);

  // The same in steps: what is said, and what is heard in answer.
  ledger::Spend next_spend(int units) { return spend_of(++number_, units); }
  const ledger::Documents& answer_for(const std::string& release, std::size_t size);
  Result<void> heard(const ledger::Spend& spend, const Result<ledger::Reservation>& answer);
  Result<void> heard_settled(const std::string& release, const Result<ledger::Receipt>& settled);
  Result<void> heard_again(const std::string& release, const Result<ledger::Reservation>& answer);

  // What the next client of the same ledger knows from reading it: nothing is in doubt any more.
  void learn(const std::string& release, const std::optional<ledger::Receipt>& receipt,
             const std::optional<ledger::Receipt>& settled);

  const std::map<std::string, Paid>& paid() const { return paid_; }  // by release
  const std::string& complaint() const { return complaint_; }        // none: empty
  ledger::Cost acknowledged() const;                                 // all that was granted for sure

 private:
  std::string chosen(bool settled);  // a release; empty where there is none
  void complain(const std::string& what) { complaint_ = complaint_.empty() ? what : complaint_; }
  int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(chance_); }

  std::mt19937_64 chance_;
  std::map<std::string, Paid> paid_;
  std::string complaint_;
  int number_ = 0;
};

bool is_same(const ledger::Receipt& a, const ledger::Receipt& b);

}  // namespace vernier::testing
