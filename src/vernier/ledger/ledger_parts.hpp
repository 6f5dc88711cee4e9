#pragma once

#include <mutex>

#include "vernier/ledger/group_commit.hpp"
#include "vernier/ledger/ledger.hpp"

namespace vernier::ledger {

// What is answered once the transaction has ended, and whether something was written into it.
template <class Answer>
struct Decision {
  Result<Answer> answer;
  bool wrote;
};

// A store and the book of it, kept in step. Once something failed in the middle nobody knows what the store has, and
// the ledger takes nothing any more until it is opened again.
class Ledger::Parts {
 public:
  static Result<std::unique_ptr<Parts>> open(std::unique_ptr<Store> store, const Terms& terms, const Options& options);

  Result<void> run(const Job& job) { return group_.run(job); }

  // Inside of a job. An error is one of the store; what is refused is an answer. The draft, which has the words of the
  // spend, becomes its entry: others wait meanwhile, so it was written before.
  Result<Decision<Reservation>> decide_reserve(Transaction& transaction, const Spend& spend, Entry& draft);
  Result<Decision<Receipt>> decide_settle(Transaction& transaction, const std::string& release,
                                          const Documents& documents);

  Book book() const;
  const Rules& rules() const { return rules_; }
  const std::string& name() const { return store_->name(); }

 private:
  Parts(std::unique_ptr<Store> store, Book book, std::optional<Witness> witness, Clock clock);
  Result<void> together(std::span<const Job* const> jobs);
  Result<void> transact(std::span<const Job* const> jobs);
  Result<void> transact_in(Transaction& transaction, std::span<const Job* const> jobs);
  Result<void> catch_up(Transaction& transaction);
  Result<void> remember();
  Result<void> write(Transaction& transaction, Entry& entry);
  Result<Reservation> standing_of(Transaction& transaction, const Entry& reserved, const Spend& spend);
  Result<void> divide(const Shares& shares);

  std::unique_ptr<Store> store_;
  const Rules rules_;
  mutable std::mutex mutex_;  // over all below
  Book book_;
  std::optional<Witness> witness_;
  Witness::Memory reached_ = {};  // what the witness is told; its texts keep their memory
  const bool is_witness_new_;     // it had seen nothing yet when the ledger, which had releases, was opened
  Clock clock_;
  std::optional<Error> closed_;  // why
  GroupCommit group_;
};

}  // namespace vernier::ledger
