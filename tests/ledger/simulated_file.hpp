#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace vernier::testing {

using Chance = std::mt19937_64;

// What is there after a power cut of the changes that were not synced.
enum class Survival : std::uint8_t {
  none,   // a cache that was lost as a whole
  first,  // a cache that was written in order, up to somewhere
  some,   // any of their sectors, in any order
  all,    // a cache that was just written
};

// The bytes of one file: as programs see them, and as they are on the disk.
class SimulatedFile {
 public:
  std::string_view seen() const { return seen_; }

  void write(std::size_t at, std::string_view bytes);
  void truncate(std::size_t size);

  // All changes reach the disk.
  void sync();

  // As Linux does it after an error of the disk: some changes reached it, the others never will, since they are no
  // longer waiting; programs go on seeing them.
  void fail_to_sync(Chance& chance);

  // What is seen is what is on the disk, which is what was synced and whatever survives of the rest. Writes tear at
  // sectors of 512 bytes, and one in sixteen within one; a file may have grown without the bytes that made it grow.
  void lose_power(Survival survival, Chance& chance);

 private:
  // A write, or (without bytes) a truncation.
  struct Change {
    std::size_t at;
    std::string bytes;
    bool truncates;
  };
  static void apply(const Change& change, std::string& content);
  static std::vector<Change> sectors_of(const std::vector<Change>& changes);
  void survive(const Change& sector, double odds, Chance& chance);

  std::string seen_;
  std::string durable_;
  std::vector<Change> unsynced_;
};

}  // namespace vernier::testing
