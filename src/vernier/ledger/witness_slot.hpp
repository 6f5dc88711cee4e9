#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vernier/ledger/witness.hpp"

// The text of a witness: two slots, each one line that a person can read and that carries its own SHA-256.
namespace vernier::ledger {

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
