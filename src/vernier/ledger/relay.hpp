#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

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

}  // namespace vernier::ledger
