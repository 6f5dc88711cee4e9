#pragma once

#include <cerrno>
#include <cstddef>
#include <span>

#include <sys/types.h>

#include "vernier/core/result.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::random {

// The randomness of the operating system. The first read after boot waits until the kernel is seeded.
class KernelEntropy {
 public:
  // Fills all of `bytes`, or wipes them and says why.
  static Result<void> read(std::span<std::byte> bytes);
};

// The sentence for a system call that ended with this errno, or with 0 when it gave nothing.
Failure no_entropy(int error_number);

// Calls `system_call(address, size)`, which answers as getrandom(2) does, until `bytes` are full: an interrupted call
// is made again, a short one continued, anything else wipes `bytes` and fails. A parameter, so that tests can fail it.
template <class SystemCall>
Result<void> read_all(SystemCall system_call, std::span<std::byte> bytes) {
  for (std::span<std::byte> rest = bytes; !rest.empty();) {
    const ssize_t got = system_call(static_cast<void*>(rest.data()), rest.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || static_cast<std::size_t>(got) > rest.size()) {
      const int error_number = got < 0 ? errno : 0;
      wipe(bytes);
      return no_entropy(error_number);
    }
    rest = rest.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

}  // namespace vernier::random
