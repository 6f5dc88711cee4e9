#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "vernier/ledger/book.hpp"
#include "vernier/ledger/witness.hpp"

namespace vernier::ledger {

// Where the witness of a ledger lies: in one file, or in a folder in which the file is named after the ledger's id.
struct WitnessPlace {
  std::filesystem::path file = {};
  std::filesystem::path folder = {};

  bool is_nowhere() const { return file.empty() && folder.empty(); }
  std::filesystem::path of(const std::string& id) const;
};

// Whether an older copy of the ledger would be noticed at a release: by what the witness remembers; not, since none is
// kept; or not this time, since the witness is new, and the ledger is not.
enum class Witnessed : std::uint8_t { remembered, none, is_new };
std::string_view name_of(Witnessed witnessed);

// Looks on while a ledger is replayed: does it still go through the position that the witness remembers?
class Watch {
 public:
  explicit Watch(WitnessPlace place) : place_(std::move(place)) {}

  // Reads the witness of the ledger with this id, unless that was done before.
  Result<void> wake(const std::string& id);
  bool is_awake() const { return witness_.has_value(); }

  // Every entry in its order, then the end.
  Result<void> see(const Entry& entry);
  Result<void> finish(const std::optional<Book>& book);

  std::optional<Witness> take() && { return std::move(witness_); }  // none: none is kept

 private:
  const std::optional<Witness::Memory>& memory() const;
  WitnessPlace place_;
  std::optional<Witness> witness_;
};

}  // namespace vernier::ledger
