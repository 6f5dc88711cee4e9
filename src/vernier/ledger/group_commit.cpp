#include "vernier/ledger/group_commit.hpp"

#include <utility>

namespace vernier::ledger {

Result<void> GroupCommit::run(const Job& job) {
  Waiting mine{&job, std::nullopt};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&mine);
  changed_.wait(lock, [&] { return mine.outcome.has_value() || !has_leader_; });
  if (!mine.outcome) lead(lock);
  return *std::move(mine.outcome);
}

// For everybody who waits now, the caller among them.
void GroupCommit::lead(std::unique_lock<std::mutex>& lock) noexcept {
  has_leader_ = true;
  const std::deque<Waiting*> group = std::exchange(waiting_, {});
  lock.unlock();
  std::vector<const Job*> jobs;
  for (const Waiting* one : group) jobs.push_back(one->job);
  const Result<void> outcome = together_(jobs);
  lock.lock();
  for (Waiting* one : group) one->outcome = outcome;
  has_leader_ = false;
  changed_.notify_all();
}

}  // namespace vernier::ledger
