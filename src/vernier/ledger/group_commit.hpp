#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger {

// Visits entries in a thread of its own, in their order, while the caller reads on: whoever opens a long ledger reads
// rows half of the time and hashes in the other half. The visit must not use the transaction that is read.
class Relay {
 public:
  explicit Relay(const Transaction::Visit& visit);  // throws std::system_error where there is no thread to be had
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay();  // ends without the visits that are left

  // The next entry. An error, of no meaning of its own, once a visit has failed: the caller reads no further.
  Result<void> pass(const Entry& entry);

  // Waits for all visits, and returns the first error, or throws what a visit threw. Nothing is passed afterwards.
  Result<void> finish();

 private:
  static constexpr std::size_t longest = 256;  // entries: some 100 kB, so that they do not leave the near cache
  struct Batch {
    std::vector<Entry> entries = std::vector<Entry>(longest);  // whose texts keep their memory
    std::size_t count = 0;
  };
  void hand_over();
  void work();
  void visit_all(const Batch& batch);
  const Transaction::Visit& visit_;
  std::array<Batch, 2> batches_;
  std::size_t filling_ = 0;  // the caller's
  std::atomic<bool> has_failed_ = false;
  Result<void> outcome_ = {};  // both of the thread, and of the caller when that has ended
  std::exception_ptr thrown_;
  std::mutex mutex_;  // over both below
  std::condition_variable changed_;
  enum class Turn : std::uint8_t { caller, thread, over } turn_ = Turn::caller;  // whose the other batch is
  std::thread thread_;
};

// Visits every entry of a store whose last one has this index, in a thread of its own where there are many. Errors are
// those that `visit_after` would return; the visit must not use the transaction.
Result<void> visit_beside(Transaction& transaction, std::int64_t last, const Transaction::Visit& visit);

// A part of a transaction; tells whether it wrote something. An error voids the whole transaction.
using Job = std::function<Result<bool>(Transaction&)>;

// Threads that wait at the same time go into one transaction: one of them leads and runs the jobs of all, the others
// wait. A commit costs one flush of the disk, however many it serves.
class GroupCommit {
 public:
  // Runs the jobs one after the other in one transaction; never from two threads at once.
  using Together = std::function<Result<void>(std::span<const Job* const>)>;
  explicit GroupCommit(Together together) : together_(std::move(together)) {}

  // Returns when the transaction with this job has ended.
  Result<void> run(const Job& job);

 private:
  enum State : int { is_open, wants_leader, has_ended };
  // Those who go into the same transaction. They wait for its state, all at one place, and need no lock to go on.
  struct Group {
    std::vector<const Job*> jobs = {};
    std::atomic<int> state = is_open;
    Result<void> outcome = {};

    bool is_called_to_lead();  // waits; false: it has ended
  };
  struct Place {
    std::shared_ptr<Group> group;
    bool leads;
  };
  Place join(const Job& job);  // an exception leaves the group as it was
  std::shared_ptr<Group> taken() noexcept;
  void serve(Group& group, bool has_others) noexcept;  // than the caller: they wait
  void lead() noexcept;                                // without memory of its own: others wait for it
  void hand_over() noexcept;
  Together together_;
  std::mutex mutex_;  // over both below
  std::shared_ptr<Group> next_;
  bool has_leader_ = false;
};

}  // namespace vernier::ledger
