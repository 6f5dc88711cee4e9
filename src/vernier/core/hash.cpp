#include "vernier/core/hash.hpp"

#include <array>
#include <memory>

#include <openssl/evp.h>

namespace vernier {
namespace {

using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

// Looked up once: a look-up costs more than the hash of a short text.
const EVP_MD* algorithm() {
  static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return found;
}

bool digested(EVP_MD_CTX* context, std::string_view bytes, unsigned char* digest) {
  return context != nullptr && algorithm() != nullptr && EVP_DigestInit_ex2(context, algorithm(), nullptr) == 1 &&
         EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1 &&
         EVP_DigestFinal_ex(context, digest, nullptr) == 1;
}

}  // namespace

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(2 * bytes.size(), '\0');
  char* to = text.data();
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *to++ = digits[byte >> 4U];
    *to++ = digits[byte & 15U];
  }
  return text;
}

Result<std::string> sha256(std::string_view bytes) {
  thread_local const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<unsigned char, 32> digest{};
  if (!digested(context.get(), bytes, digest.data())) {
    return fail(ErrorKind::system, "OpenSSL could not compute a SHA-256; check its installation");
  }
  return hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace vernier
