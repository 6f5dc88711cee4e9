#include "vernier/ledger/watch.hpp"

namespace vernier::ledger {
namespace {

std::string entries(std::int64_t count) { return std::to_string(count) + (count == 1 ? " entry" : " entries"); }

std::string remembers(const Witness& witness) {
  return "the witness '" + witness.path().string() + "' remembers " + entries(witness.memory()->position.index);
}

}  // namespace

std::string_view name_of(Witnessed witnessed) {
  if (witnessed == Witnessed::remembered) return "remembered";
  return witnessed == Witnessed::none ? "none" : "new";
}

std::filesystem::path WitnessPlace::of(const std::string& id) const {
  return file.empty() ? folder / (id.substr(0, 32) + ".witness") : file;
}

Result<void> Watch::wake(const std::string& id) {
  if (witness_) return {};
  return Witness::open(place_.of(id)).map([&](Witness witness) { witness_.emplace(std::move(witness)); });
}

const std::optional<Witness::Memory>& Watch::memory() const {
  static const std::optional<Witness::Memory> nothing;
  return witness_ ? witness_->memory() : nothing;
}

Result<void> Watch::see(const Entry& entry) {
  if (place_.is_nowhere()) return {};
  if (entry.index == 1) {
    if (Result<void> awake = wake(entry.hash); !awake) return awake;
    if (memory() && memory()->ledger != entry.hash) {
      return invalid(remembers(*witness_) + " of another ledger", "bring that one back");
    }
  }
  if (!memory() || memory()->position.index != entry.index || memory()->position.head == entry.hash) return {};
  return invalid("entry " + std::to_string(entry.index) + " is another one than the witness '" +
                 witness_->path().string() + "' saw: the ledger was written anew from an older copy");
}

Result<void> Watch::finish(const std::optional<Book>& book) {
  if (!book && !place_.file.empty()) {
    if (Result<void> awake = wake(""); !awake) return awake;
  }
  const std::int64_t found = book ? book->position().index : 0;
  if (!memory() || memory()->position.index <= found) return {};
  return invalid(remembers(*witness_) + ", but there are only " + std::to_string(found) +
                 ": it is an older copy, or its end was cut off");
}

}  // namespace vernier::ledger
