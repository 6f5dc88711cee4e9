#include "vernier/core/keyed_hash.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "vernier/core/hash.hpp"

namespace vernier {
namespace {

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

Failure not_computed() {
  return fail(ErrorKind::system, "OpenSSL could not compute an HMAC", "check its installation");
}

// Looked up once.
EVP_MAC* algorithm() {
  static EVP_MAC* const found = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  return found;
}

}  // namespace

Result<KeyedHash> KeyedHash::of(std::string_view key) {
  if (algorithm() == nullptr) return not_computed();
  Context context(EVP_MAC_CTX_new(algorithm()), &EVP_MAC_CTX_free);
  std::array<char, 7> digest = {'S', 'H', 'A', '2', '5', '6', '\0'};
  const std::array<OSSL_PARAM, 2> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0), OSSL_PARAM_construct_end()};
  if (context == nullptr || EVP_MAC_init(context.get(), bytes_of(key), key.size(), parameters.data()) != 1)
    return not_computed();
  return KeyedHash(std::move(context));
}

void KeyedHash::add(std::string_view bytes) {
  is_sound_ = is_sound_ && EVP_MAC_update(context_.get(), bytes_of(bytes), bytes.size()) == 1;
}

void KeyedHash::add_counted(std::string_view text) {
  std::array<char, 8> length{};
  for (std::size_t i = 0; i < length.size(); ++i) length[i] = static_cast<char>(std::uint64_t{text.size()} >> 8 * i);
  add({length.data(), length.size()});
  add(text);
}

Result<std::string> KeyedHash::digits() && {
  std::array<unsigned char, 32> digest{};
  std::size_t size = 0;
  if (!is_sound_ || EVP_MAC_final(context_.get(), digest.data(), &size, digest.size()) != 1 || size != digest.size())
    return not_computed();
  return hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace vernier
