#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace vernier::engine {

// What undoes one kind of compression, piece by piece.
class Unpacker {
 public:
  struct Step {
    std::size_t taken;  // bytes of what is packed
    std::size_t made;  // bytes of what was packed; all that there is room for where there may be more without new input
  };

  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;

  // None where the file is damaged, or there is no memory.
  virtual std::optional<Step> step(std::span<const unsigned char> packed, std::span<unsigned char> plain) = 0;

  // Whether the file may end behind what was taken: everything that was begun is complete, and something was.
  virtual bool may_end() const = 0;
};

std::unique_ptr<Unpacker> unpacker_of_gzip();  // RFC 1952, of one or several members behind each other
std::unique_ptr<Unpacker> unpacker_of_zstd();  // RFC 8878, of one or several frames; windows up to 128 MiB

}  // namespace vernier::engine
