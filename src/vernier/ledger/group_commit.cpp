#include "vernier/ledger/group_commit.hpp"

#include <climits>
#include <exception>
#include <system_error>
#include <utility>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vernier/ledger/store.hpp"

namespace vernier::ledger {
namespace {

constexpr std::int64_t many = 10000;  // entries: 20 ms, beside which a thread costs nothing

}  // namespace

Relay::Relay(const Transaction::Visit& visit) : visit_(visit), thread_([this] { work(); }) {}

Relay::~Relay() {
  if (!thread_.joinable()) return;
  has_failed_ = true;
  {
    const std::scoped_lock lock(mutex_);
    turn_ = Turn::over;
  }
  changed_.notify_all();
  thread_.join();
}

Result<void> Relay::pass(const Entry& entry) {
  if (has_failed_) return invalid("a visit has failed");
  Batch& batch = batches_[filling_];
  batch.entries[batch.count++] = entry;
  if (batch.count == longest) hand_over();
  return {};
}

// The batch that was filled for the one that was visited.
void Relay::hand_over() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return turn_ == Turn::caller; });
  filling_ = 1 - filling_;
  batches_[filling_].count = 0;
  turn_ = Turn::thread;
  lock.unlock();
  changed_.notify_all();
}

Result<void> Relay::finish() {
  hand_over();  // what is left
  hand_over();  // nothing: the visits before are done
  {
    const std::scoped_lock lock(mutex_);
    turn_ = Turn::over;
  }
  changed_.notify_all();
  thread_.join();
  if (thrown_) std::rethrow_exception(thrown_);
  return std::move(outcome_);
}

void Relay::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return turn_ != Turn::caller; });
    if (turn_ == Turn::over) return;
    const Batch& batch = batches_[1 - filling_];
    lock.unlock();
    visit_all(batch);
    lock.lock();
    if (turn_ == Turn::over) return;
    turn_ = Turn::caller;
    changed_.notify_all();
  }
}

void Relay::visit_all(const Batch& batch) try {
  for (std::size_t i = 0; i < batch.count && !has_failed_; ++i) {
    outcome_ = visit_(batch.entries[i]);
    if (!outcome_) has_failed_ = true;
  }
} catch (...) {
  thrown_ = std::current_exception();
  has_failed_ = true;
}

Result<void> visit_beside(Transaction& transaction, std::int64_t last, const Transaction::Visit& visit) {
  if (last < many || std::thread::hardware_concurrency() < 2) return transaction.visit_after(0, visit);
  std::optional<Relay> relay;
  try {
    relay.emplace(visit);
  } catch (const std::system_error&) {
    return transaction.visit_after(0, visit);
  }
  const Result<void> read = transaction.visit_after(0, [&](const Entry& entry) { return relay->pass(entry); });
  const Result<void> visited = relay->finish();
  return visited ? read : visited;  // an entry that was read before the error
}

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
