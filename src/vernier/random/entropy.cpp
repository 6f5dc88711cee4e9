#include "vernier/random/entropy.hpp"

#include <string>
#include <system_error>

#include <sys/random.h>

namespace vernier::random {

Result<void> KernelEntropy::read(std::span<std::byte> bytes) {
  return read_all([](void* address, std::size_t size) { return ::getrandom(address, size, 0); }, bytes);
}

Failure no_entropy(int error_number) {
  const std::string reason = error_number == 0 ? "it gave no bytes" : std::generic_category().message(error_number);
  return fail(ErrorKind::entropy,
              "the operating system gave no randomness (getrandom: " + reason + "), so there is no noise",
              "run where the getrandom system call is allowed");
}

}  // namespace vernier::random
