#include "vernier/core/hash.hpp"

#include <array>
#include <fstream>
#include <memory>
#include <vector>

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

Failure not_computed() {
  return fail(ErrorKind::system, "OpenSSL could not compute a SHA-256; check its installation");
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
    return not_computed();
  }
  return hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

Result<std::string> sha256_of_file(const std::filesystem::path& path) {
  const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  if (context == nullptr || algorithm() == nullptr || EVP_DigestInit_ex2(context.get(), algorithm(), nullptr) != 1)
    return not_computed();
  std::ifstream file(path, std::ios::binary);
  std::vector<char> part(std::size_t{1} << 16);
  while (file) {
    file.read(part.data(), static_cast<std::streamsize>(part.size()));
    if (EVP_DigestUpdate(context.get(), part.data(), static_cast<std::size_t>(file.gcount())) != 1)
      return not_computed();
  }
  if (!file.eof()) return fail(ErrorKind::system, "the file '" + path.string() + "' cannot be read to its end");
  std::array<unsigned char, 32> digest{};
  if (EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) return not_computed();
  return hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace vernier
