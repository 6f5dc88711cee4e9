#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/ledger/store.hpp"

namespace vernier::ledger {

// A part of a transaction; tells whether it wrote something. An error voids the whole transaction.
using Job = std::function<Result<bool>(Transaction&)>;

// Threads that wait at the same time go into one transaction: the first runs the jobs of all, the others wait. A commit
// costs one flush of the disk, however many it serves.
class GroupCommit {
 public:
  // Runs the jobs one after the other in one transaction; never from two threads at once.
  using Together = std::function<Result<void>(std::span<const Job* const>)>;
  explicit GroupCommit(Together together) : together_(std::move(together)) {}

  // Returns when the transaction with this job has ended.
  Result<void> run(const Job& job);

 private:
  struct Waiting {
    const Job* job;
    std::optional<Result<void>> outcome = {};
    bool leads = false;
    std::condition_variable called = {};  // of its own, so that only those wake who have something to do
  };
  // Those who wait, and their jobs, in the same order.
  struct Group {
    std::vector<const Job*> jobs;
    std::vector<Waiting*> members;
  };
  void join(Waiting& mine);                                // an exception leaves the group as it was
  void lead(std::unique_lock<std::mutex>& lock) noexcept;  // without memory of its own: others wait for it
  void serve(std::unique_lock<std::mutex>& lock) noexcept;
  Together together_;
  std::mutex mutex_;
  Group waiting_;
  bool has_leader_ = false;
};

}  // namespace vernier::ledger
