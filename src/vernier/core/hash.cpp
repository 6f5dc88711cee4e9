#include "vernier/core/hash.hpp"

#include <array>

#include <openssl/evp.h>

namespace vernier {

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

Result<std::string> sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  std::size_t size = digest.size();
  if (EVP_Q_digest(nullptr, "SHA256", nullptr, bytes.data(), bytes.size(), digest.data(), &size) != 1) {
    return fail(ErrorKind::system, "OpenSSL could not compute a SHA-256; check its installation");
  }
  return hex({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace vernier
