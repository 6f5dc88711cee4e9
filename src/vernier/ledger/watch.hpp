#pragma once

#include <filesystem>
#include <optional>

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

// Looks on while a ledger is replayed: does it still go through the position that the witness remembers?
class Watch {
 public:
  explicit Watch(WitnessPlace place) : place_(std::move(place)) {}

  // Every entry in its order, then the end.
  Result<void> see(const Entry& entry);
  Result<void> finish(const std::optional<Book>& book);

  std::optional<Witness> take() && { return std::move(witness_); }  // none: none is kept

 private:
  Result<void> open(const std::string& id);
  const std::optional<Witness::Memory>& memory() const;
  WitnessPlace place_;
  std::optional<Witness> witness_;
};

}  // namespace vernier::ledger
