#include "vernier/ledger/relay.hpp"

#include <system_error>
#include <utility>

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

}  // namespace vernier::ledger
