#include "vernier/ledger/witness_slot.hpp"

#include <algorithm>
#include <charconv>

#include "vernier/core/hash.hpp"

namespace vernier::ledger {
namespace {

constexpr std::string_view before_ledger = "vernier witness 1 ledger ";
constexpr std::string_view before_index = " entry ";
constexpr std::string_view before_head = " head ";
constexpr std::string_view before_hash = " sha256 ";
constexpr std::size_t hash_size = 64;

// Without a branch for each digit: it is asked at every commit.
bool is_hash(std::string_view text) {
  const auto is_between = [](char c, char first, char last) { return (c >= first) & (c <= last); };
  int digits = 0;
  for (const char c : text) digits += is_between(c, '0', '9') | is_between(c, 'a', 'f');
  return text.size() == hash_size && digits == static_cast<int>(hash_size);
}

// The line up to its hash, which stands for it.
std::string body_of(const Witness::Memory& memory) {
  std::string body;
  body.reserve(slot_size);
  body.append(before_ledger);
  body.append(memory.ledger).append(before_index).append(std::to_string(memory.position.index));
  return body.append(before_head).append(memory.position.head);
}

bool skip(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::string take_hash(std::string_view& text) {
  const std::string hash(text.substr(0, hash_size));
  text.remove_prefix(hash.size());
  return hash;
}

std::int64_t take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

// Leaves the rest of the slot in `text`.
std::optional<Witness::Memory> read_body(std::string_view& text) {
  Witness::Memory memory;
  if (!skip(text, before_ledger)) return std::nullopt;
  memory.ledger = take_hash(text);
  if (!skip(text, before_index)) return std::nullopt;
  memory.position.index = take_number(text);
  if (!skip(text, before_head)) return std::nullopt;
  memory.position.head = take_hash(text);
  return memory;
}

bool is_sound(const Witness::Memory& memory) {
  return is_hash(memory.ledger) && is_hash(memory.position.head) && memory.position.index >= 1;
}

}  // namespace

Result<std::string> slot_of(const Witness::Memory& memory) {
  if (!is_sound(memory)) {
    return invalid("a witness remembers an entry from 1 on and two hashes of 64 hex digits, but it was given entry " +
                   std::to_string(memory.position.index) + ", ledger '" + memory.ledger + "' and head '" +
                   memory.position.head + "'");
  }
  std::string line = body_of(memory);
  VERNIER_TRY(const Sha256Digits hash, sha256_digits(line));
  line.append(before_hash).append(text_of(hash));
  line.resize(slot_size, ' ');
  line.back() = '\n';
  return line;
}

// Whatever reads as a memory is written anew and compared: only the one spelling of it counts.
Result<std::optional<Witness::Memory>> memory_in(std::string_view slot) {
  std::string_view rest = slot;
  const std::optional<Witness::Memory> memory = read_body(rest);
  if (!memory || !is_sound(*memory)) return std::nullopt;
  VERNIER_TRY(const std::string whole, slot_of(*memory));
  if (whole != slot) return std::nullopt;
  return memory;
}

Result<std::optional<Remembered>> remembered_in(std::string_view file) {
  std::optional<Remembered> furthest;
  for (int slot = 0; slot < 2; ++slot) {
    const std::size_t begin = std::min(file.size(), static_cast<std::size_t>(slot) * slot_size);
    VERNIER_TRY(const std::optional<Witness::Memory> memory, memory_in(file.substr(begin, slot_size)));
    if (!memory) continue;
    if (!furthest || furthest->memory.position.index < memory->position.index) furthest = {*memory, slot};
  }
  return furthest;
}

}  // namespace vernier::ledger
