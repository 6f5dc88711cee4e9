#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/ledger/entry.hpp"

namespace vernier::ledger {

// SipHash-2-4 (Aumasson and Bernstein 2012): 64 bits of a text that nobody foresees without the key, so that nobody can
// choose texts that fall together.
class KeyedHash {
 public:
  static Result<KeyedHash> with_random_key();
  constexpr KeyedHash(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}

  std::uint64_t of(std::string_view text) const;

 private:
  std::uint64_t low_, high_;
};

}  // namespace vernier::ledger

namespace vernier::ledger::sqlite {

// By which an entry is found again: its release and kind, or the request of a reserve. None where that is empty.
struct Names {
  Kind kind;
  std::string_view release, request;

  static Names of(const Entry& entry) { return {entry.kind, entry.release, entry.request}; }
};

// Where the entries lie that have a key: in memory, since an index in the file would cost each commit two more pages.
// It holds hashes alone, so what it finds are candidates, which the caller confirms. Takes 22 to 43 bytes a key, and up
// to 64 while it grows.
class Keys {
 public:
  explicit Keys(KeyedHash hash) : hash_(hash) {}

  std::int64_t last() const { return last_; }  // it knows all entries up to this one

  // The hashes of these names, which are computed once for all that is done with them; 0: there is none.
  struct Pair {
    std::uint64_t release, request;
  };
  Pair pair_of(const Names& names) const;

  // The entry after the last one. An exception leaves it as it was.
  void add(std::int64_t index, const Pair& pair);
  void add(std::int64_t index, const Names& names) { add(index, pair_of(names)); }

  // Brings the places of these names near, for who asks for them after other work: a table of a million entries is
  // larger than any cache, and opening such a ledger would wait for memory a seventh of its time.
  void expect(const Pair& pair) const;

  void forget() noexcept;  // all of them

  // The entries that have it, one after the other, and perhaps others; 0 after the last.
  class Search {
   public:
    std::int64_t next();

   private:
    friend class Keys;
    Search(const Keys& keys, std::uint64_t key) : keys_(keys), key_(key), at_(key) {}
    const Keys& keys_;
    std::uint64_t key_, at_;
  };
  Search of(std::uint64_t one_of_a_pair) const { return {*this, one_of_a_pair}; }
  Search of_release(Kind kind, std::string_view release) const { return {*this, release_key(kind, release)}; }
  Search of_request(std::string_view request) const { return {*this, request_key(request)}; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::int64_t index = 0;  // 0: nothing is here
  };
  std::uint64_t release_key(Kind kind, std::string_view release) const;  // 0: none
  std::uint64_t request_key(std::string_view request) const;
  void make_room();
  static void put(std::vector<Slot>& slots, const Slot& slot);
  KeyedHash hash_;
  std::vector<Slot> slots_;  // a power of two of them, three quarters full at most; a key lies at its hash or after it
  std::size_t count_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace vernier::ledger::sqlite
