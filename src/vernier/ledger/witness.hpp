#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "vernier/ledger/entry.hpp"

namespace vernier::ledger {

// A file outside the ledger that remembers how far it went, so that an older copy of the ledger is noticed. It never
// runs ahead of what is durable in the ledger: what it remembers was committed before.
class Witness {
 public:
  // What a witness remembers of a ledger, which is known by the hash of its first entry.
  struct Memory {
    std::string ledger;
    Position position;
  };

  // Reads the file; a missing one is made, with its folders, at the first `remember`. Whoever else holds its lock is
  // waited for so long, and no longer.
  static Result<Witness> open(const std::filesystem::path& path,
                              std::chrono::milliseconds longest_wait = std::chrono::seconds(30));

  Witness(Witness&&) noexcept;
  Witness& operator=(Witness&&) noexcept;
  ~Witness();

  const std::filesystem::path& path() const { return path_; }
  const std::optional<Memory>& memory() const { return memory_; }  // none: nothing was seen yet

  // A position that is not further than what is remembered changes nothing. Several processes may share a witness. An
  // error where it saw another ledger, or another entry of the same index.
  Result<void> remember(const Memory& memory);

 private:
  Witness(std::filesystem::path path, std::chrono::milliseconds longest_wait, int descriptor,
          std::optional<Memory> memory);
  Result<void> look();
  Result<void> remember_locked(const Memory& memory, const std::string& slot);
  std::filesystem::path path_;
  std::chrono::milliseconds longest_wait_;
  int descriptor_ = -1;       // none until there is a file
  bool is_unsynced_ = false;  // what was written since is made durable at the end
  std::optional<Memory> memory_;
  std::string file_ = {};  // as it was when it was last read or written
  int slot_ = 1;           // of it, in which the memory stands
};

// The text of a witness: two slots, each one line that a person can read and that carries its own SHA-256.
inline constexpr std::size_t slot_size = 512;  // a sector, the least that a disk writes whole or not at all

// One line of exactly slot_size bytes. An error where a hash is not 64 lower-case hex digits, or the index below 1.
Result<std::string> slot_of(const Witness::Memory& memory);

// None where the slot is not one that was written whole.
Result<std::optional<Witness::Memory>> memory_in(std::string_view slot);

// What both slots of a file say: the further of the valid ones, and in which it stands. None where neither is valid.
struct Remembered {
  Witness::Memory memory;
  int slot;
};
Result<std::optional<Remembered>> remembered_in(std::string_view file);

}  // namespace vernier::ledger
