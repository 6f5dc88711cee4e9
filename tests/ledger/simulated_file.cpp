#include "ledger/simulated_file.hpp"

#include <algorithm>
#include <utility>

namespace vernier::testing {
namespace {

constexpr std::size_t sector_size = 512;

void put(std::string& content, std::size_t at, std::string_view bytes) {
  if (content.size() < at + bytes.size()) content.resize(at + bytes.size(), '\0');
  std::copy(bytes.begin(), bytes.end(), content.begin() + static_cast<std::ptrdiff_t>(at));
}

bool flip(double odds, Chance& chance) { return std::bernoulli_distribution(odds)(chance); }

std::size_t up_to(std::size_t most, Chance& chance) {
  return std::uniform_int_distribution<std::size_t>(0, most)(chance);
}

}  // namespace

void SimulatedFile::apply(const Change& change, std::string& content) {
  change.truncates ? content.resize(change.at, '\0') : put(content, change.at, change.bytes);
}

void SimulatedFile::write(std::size_t at, std::string_view bytes) {
  unsynced_.push_back({at, std::string(bytes), false});
  apply(unsynced_.back(), seen_);
}

void SimulatedFile::truncate(std::size_t size) {
  unsynced_.push_back({size, {}, true});
  apply(unsynced_.back(), seen_);
}

void SimulatedFile::sync() {
  for (const Change& change : unsynced_) apply(change, durable_);
  unsynced_.clear();
}

void SimulatedFile::fail_to_sync(Chance& chance) {
  for (const Change& sector : sectors_of(unsynced_)) survive(sector, 0.5, chance);
  unsynced_.clear();
}

std::vector<SimulatedFile::Change> SimulatedFile::sectors_of(const std::vector<Change>& changes) {
  std::vector<Change> sectors;
  for (const Change& change : changes) {
    if (change.truncates) sectors.push_back(change);
    for (std::size_t at = 0; at < change.bytes.size();) {
      const std::size_t size = std::min(change.bytes.size() - at, sector_size - (change.at + at) % sector_size);
      sectors.push_back({change.at + at, change.bytes.substr(at, size), false});
      at += size;
    }
  }
  return sectors;
}

void SimulatedFile::survive(const Change& sector, double odds, Chance& chance) {
  if (flip(odds, chance)) return apply(sector, durable_);
  if (sector.truncates) return;
  if (flip(1. / 16, chance))
    return put(durable_, sector.at, sector.bytes.substr(0, up_to(sector.bytes.size(), chance)));
  const std::size_t end = sector.at + sector.bytes.size();
  if (durable_.size() < end && flip(odds / 2, chance)) durable_.resize(end, '\0');
}

void SimulatedFile::lose_power(Survival survival, Chance& chance) {
  std::vector<Change> sectors = sectors_of(std::exchange(unsynced_, {}));
  if (survival == Survival::none) sectors.clear();
  if (survival == Survival::first) sectors.resize(up_to(sectors.size(), chance), Change{0, {}, false});
  if (survival == Survival::some) std::shuffle(sectors.begin(), sectors.end(), chance);
  const double odds = survival == Survival::some ? std::uniform_real_distribution<double>(0.05, 0.95)(chance) : 1;
  for (const Change& sector : sectors) survive(sector, odds, chance);
  seen_ = durable_;
}

}  // namespace vernier::testing
