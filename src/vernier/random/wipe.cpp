#include "vernier/random/wipe.hpp"

#include <openssl/crypto.h>

namespace vernier::random {

void wipe(std::span<std::byte> bytes) noexcept { OPENSSL_cleanse(bytes.data(), bytes.size()); }
void wipe(std::span<std::uint64_t> words) noexcept { wipe(std::as_writable_bytes(words)); }

}  // namespace vernier::random
