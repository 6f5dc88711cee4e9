#include "vernier/ledger/group_commit.hpp"

#include <climits>
#include <exception>
#include <utility>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vernier/ledger/out_of_memory.hpp"

namespace vernier::ledger {
namespace {

constexpr int most_groups = 16;  // that one leader serves

// std::atomic::wait of libstdc++ gives the processor away several times before it sleeps. With many who wait each of
// these goes to another one who waits: a quarter of the processor at 64 threads.
static_assert(sizeof(std::atomic<int>) == sizeof(int) && std::atomic<int>::is_always_lock_free);

// Perhaps returns early: the caller looks again.
void sleep_while(std::atomic<int>& word, int value) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake(std::atomic<int>& word, int sleepers) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, sleepers, nullptr, nullptr, 0);
}

Result<void> copy_of(const Result<void>& outcome) noexcept {
  try {
    return outcome;
  } catch (const std::exception&) {
    return out_of_memory();
  }
}

}  // namespace

bool GroupCommit::Group::is_called_to_lead() {
  while (true) {
    int now = state.load(std::memory_order_acquire);
    if (now == has_ended) return false;
    if (now == wants_leader && state.compare_exchange_strong(now, is_open)) return true;
    if (now == is_open) sleep_while(state, is_open);
  }
}

GroupCommit::Place GroupCommit::join(const Job& job) {
  const std::scoped_lock lock(mutex_);
  if (!next_) next_ = std::make_shared<Group>();
  next_->jobs.push_back(&job);
  return {next_, !std::exchange(has_leader_, true)};
}

Result<void> GroupCommit::run(const Job& job) {
  const Place mine = join(job);
  if (mine.leads || mine.group->is_called_to_lead()) lead();
  return copy_of(mine.group->outcome);
}

// Everybody who waits now; nobody leads any more where there is nobody.
std::shared_ptr<GroupCommit::Group> GroupCommit::taken() noexcept {
  const std::scoped_lock lock(mutex_);
  has_leader_ = next_ && !next_->jobs.empty();
  return has_leader_ ? std::exchange(next_, nullptr) : nullptr;
}

void GroupCommit::serve(Group& group, bool has_others) noexcept {
  try {
    group.outcome = together_(group.jobs);
  } catch (const std::exception&) {
    group.outcome = out_of_memory();
  }
  group.state.store(has_ended, std::memory_order_release);
  if (has_others) wake(group.state, INT_MAX);
}

// First the group that the caller is in. Serves some more, since to wake another leader takes longer than a fast disk
// needs; then one who waits leads on, so that nobody serves others for ever.
void GroupCommit::lead() noexcept {
  for (int groups = 0; groups < most_groups; ++groups) {
    const std::shared_ptr<Group> group = taken();
    if (!group) return;
    serve(*group, groups > 0 || group->jobs.size() > 1);
  }
  hand_over();
}

void GroupCommit::hand_over() noexcept {
  const std::scoped_lock lock(mutex_);
  has_leader_ = next_ && !next_->jobs.empty();
  if (!has_leader_) return;
  next_->state.store(wants_leader, std::memory_order_release);
  wake(next_->state, 1);
}

}  // namespace vernier::ledger
