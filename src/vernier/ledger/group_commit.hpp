#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger {

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
