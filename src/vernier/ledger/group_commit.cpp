#include "vernier/ledger/group_commit.hpp"

#include <exception>
#include <utility>

namespace vernier::ledger {
namespace {

constexpr int most_groups = 16;  // that one leader serves

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
  Waiting mine{&job};
  std::unique_lock lock(mutex_);
  join(mine);
  mine.leads = !std::exchange(has_leader_, true);
  mine.called.wait(lock, [&] { return mine.outcome.has_value() || mine.leads; });
  if (mine.leads) lead(lock);
  return *std::move(mine.outcome);
}

// For everybody who waits now, the caller among them. All are called while the lock is held, since whoever is called
// may be gone once it is not.
void GroupCommit::serve(std::unique_lock<std::mutex>& lock) noexcept {
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
  for (Waiting* one : group.members) {
    one->outcome = copy_of(outcome);
    one->called.notify_one();
  }
}

// Serves some more groups, since to wake another leader takes longer than a fast disk needs; then the first who waits
// leads on, so that nobody serves others for ever.
void GroupCommit::lead(std::unique_lock<std::mutex>& lock) noexcept {
  for (int groups = 0; groups < most_groups && !waiting_.members.empty(); ++groups) serve(lock);
  has_leader_ = !waiting_.members.empty();
  if (!has_leader_) return;
  waiting_.members.front()->leads = true;
  waiting_.members.front()->called.notify_one();
}

}  // namespace vernier::ledger
