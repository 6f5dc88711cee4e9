#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "vernier/ledger/store.hpp"

// Mutants of stores, which the tests of races must find.
namespace vernier::testing {

// A store whose lock was taken away: a write transaction reads without one, and writes what was decided at its end.
std::unique_ptr<ledger::Store> without_lock(std::unique_ptr<ledger::Store> store);

// The content of a store in the memory, without any rules of its own, for any number of stores of this process.
struct PlainContent {
  std::vector<ledger::Entry> entries = {};
  std::vector<std::pair<std::string, ledger::Documents>> documents = {};
  std::optional<ledger::Tally> tally = {};
};
struct PlainFile {
  std::mutex lock;   // of whoever writes
  std::mutex bytes;  // over the content
  PlainContent content = {};
};

enum class PlainLock : std::uint8_t { held, missing };

// Reads everything, changes it, and writes all of it back: without the lock, over what others wrote meanwhile.
std::unique_ptr<ledger::Store> plain_store(std::shared_ptr<PlainFile> file, PlainLock lock);

}  // namespace vernier::testing
