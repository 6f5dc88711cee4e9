#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "vernier/core/result.hpp"
#include "vernier/ledger/entry.hpp"

namespace vernier::ledger {

// An error that can be told even then: its last resort is so short a text that it needs no memory.
inline Failure out_of_memory() noexcept {
  try {
    return fail(ErrorKind::system, "the memory is exhausted", "look into the ledger before you try again");
  } catch (const std::exception&) {
    return fail(ErrorKind::system, "out of memory");
  }
}

// Where a ledger lies: a list of entries that only grows, and the documents that were released. A store keeps and
// locks; what entries mean is the book's business.
// What the store itself says of the last entry and of what is left, which its CHECK keeps from going below zero.
struct Tally {
  Position position;
  Cost left;
};

// Holds the store for itself (write) or a view of it that does not change (read); ends without effect unless it is
// committed. Of use in one thread at a time.
class Transaction {
 public:
  Transaction() = default;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  virtual ~Transaction() = default;

  virtual Result<std::optional<Tally>> tally() = 0;  // none: there is no entry yet

  // Every entry after this index, in order; stops at the first error, which it returns.
  using Visit = std::function<Result<void>(const Entry&)>;
  virtual Result<void> visit_after(std::int64_t index, const Visit& visit) = 0;

  // The entry of that kind with this release, or with this request (which is not empty).
  virtual Result<std::optional<Entry>> find_release(Kind kind, const std::string& release) = 0;
  virtual Result<std::optional<Entry>> find_request(const std::string& request) = 0;

  // Writes the entry, moves the position to it and takes its cost from what is left; the store refuses a gap and a
  // balance below zero by itself. The first entry sets what is left to `budget`.
  virtual Result<void> begin(const Entry& first, const Cost& budget) = 0;
  virtual Result<void> append(const Entry& entry) = 0;

  virtual Result<void> keep(const std::string& release, const Documents& documents) = 0;
  virtual Result<Documents> documents(const std::string& release) = 0;  // none where nothing was kept

  // The content of one of them; none where there is none of that name. Stores do not read the others for it.
  virtual Result<std::optional<std::string>> document(const std::string& release, const std::string& name) {
    return documents(release).map([&](const Documents& all) {
      const Document* const one = document_named(all, name);
      return one == nullptr ? std::nullopt : std::optional(one->content);
    });
  }

  // On the disk, whatever happens next, once this has returned without an error. After an error nobody knows.
  virtual Result<void> commit() = 0;
};

enum class Access : std::uint8_t { read, write };

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  // Waits for the lock, at most for half a minute. One transaction at a time; the store outlives it.
  virtual Result<std::unique_ptr<Transaction>> begin(Access access) = 0;

  virtual const std::string& name() const = 0;  // as sentences call it: a path, or an address without its password
};

// What a store is where there is none yet: an error, a new one, or a null pointer.
enum class Missing : std::uint8_t { is_error, is_made, is_none };

}  // namespace vernier::ledger
