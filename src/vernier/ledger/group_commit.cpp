#include "vernier/ledger/group_commit.hpp"

#include <exception>
#include <utility>

namespace vernier::ledger {
namespace {

// A text so short that it needs no memory.
Failure out_of_memory() noexcept { return fail(ErrorKind::system, "out of memory"); }

Result<void> copy_of(const Result<void>& outcome) noexcept {
  try {
    return outcome;
  } catch (const std::exception&) {
    return out_of_memory();
  }
}

}  // namespace

void GroupCommit::join(Waiting& mine) {
  waiting_.jobs.push_back(mine.job);
  try {
    waiting_.members.push_back(&mine);
  } catch (const std::exception&) {
    waiting_.jobs.pop_back();
    throw;
  }
}

Result<void> GroupCommit::run(const Job& job) {
  Waiting mine{&job, std::nullopt};
  std::unique_lock lock(mutex_);
  join(mine);
  changed_.wait(lock, [&] { return mine.outcome.has_value() || !has_leader_; });
  if (!mine.outcome) lead(lock);
  return *std::move(mine.outcome);
}

// For everybody who waits now, the caller among them.
void GroupCommit::lead(std::unique_lock<std::mutex>& lock) noexcept {
  has_leader_ = true;
  const Group group = std::exchange(waiting_, {});
  lock.unlock();
  const Result<void> outcome = [&]() -> Result<void> {
    try {
      return together_(group.jobs);
    } catch (const std::exception&) {
      return out_of_memory();
    }
  }();
  lock.lock();
  for (Waiting* one : group.members) one->outcome = copy_of(outcome);
  has_leader_ = false;
  changed_.notify_all();
}

}  // namespace vernier::ledger
