#include "vernier/core/hash.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
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
  return fail(ErrorKind::system, "OpenSSL could not compute a SHA-256", "check its installation");
}

// The eight digits of four bytes at once; the first byte is the lowest of the number, and so are its digits.
std::uint64_t eight_digits(std::uint32_t bytes) {
  std::uint64_t apart = bytes;
  apart = (apart | apart << 16U) & 0x0000ffff0000ffff;
  apart = (apart | apart << 8U) & 0x00ff00ff00ff00ff;
  const std::uint64_t halves = (apart >> 4U & 0x000f000f000f000f) | (apart & 0x000f000f000f000f) << 8U;
  const std::uint64_t letters = (halves + 0x0606060606060606) >> 4U & 0x0101010101010101;  // 1 where it is 10 or more
  return halves + 0x3030303030303030 + letters * ('a' - '0' - 10);
}

void put_hex(std::string_view bytes, char* to) {
  for (; std::endian::native == std::endian::little && bytes.size() >= 4; bytes.remove_prefix(4), to += 8) {
    std::uint32_t four = 0;
    std::memcpy(&four, bytes.data(), sizeof four);
    const std::uint64_t digits = eight_digits(four);
    std::memcpy(to, &digits, sizeof digits);
  }
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *to++ = digits[byte >> 4U];
    *to++ = digits[byte & 15U];
  }
}

}  // namespace

std::string hex(std::string_view bytes) {
  std::string text(2 * bytes.size(), '\0');
  put_hex(bytes, text.data());
  return text;
}

Result<Sha256Digits> sha256_digits(std::string_view bytes) {
  thread_local const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::array<unsigned char, 32> digest;
  if (!digested(context.get(), bytes, digest.data())) return not_computed();
  Sha256Digits digits;
  put_hex({reinterpret_cast<const char*>(digest.data()), digest.size()}, digits.data());
  return digits;
}

Result<std::string> sha256(std::string_view bytes) {
  return sha256_digits(bytes).map([](const Sha256Digits& digits) { return std::string(text_of(digits)); });
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
