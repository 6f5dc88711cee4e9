#include "vernier/random/keystream.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

#include <openssl/evp.h>

#include "vernier/random/wipe.hpp"

namespace vernier::random {
namespace {

struct FreeCipher {
  void operator()(EVP_CIPHER* cipher) const noexcept { EVP_CIPHER_free(cipher); }
};

// Zeros that are wiped at the end of the scope.
struct Scratch {
  std::array<std::byte, seed_bytes> bytes{};
  ~Scratch() { wipe(bytes); }
};

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

Failure cipher_failed() {
  return fail(ErrorKind::system, "OpenSSL could not run AES-256-CTR, so there is no noise",
              "check that its default provider is enabled");
}

}  // namespace

void Keystream::Close::operator()(evp_cipher_ctx_st* context) const noexcept { EVP_CIPHER_CTX_free(context); }

Result<Keystream> Keystream::open(SeedBytes seed) {
  const std::unique_ptr<EVP_CIPHER, FreeCipher> cipher(EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr));
  Keystream stream{Context(EVP_CIPHER_CTX_new())};
  const bool usable = cipher && stream.context_ &&
                      EVP_EncryptInit_ex2(stream.context_.get(), cipher.get(), nullptr, nullptr, nullptr) == 1 &&
                      EVP_CIPHER_CTX_get_key_length(stream.context_.get()) == 32 && stream.install(seed);
  wipe(seed);
  if (!usable) return cipher_failed();
  return stream;
}

// The next key is taken after the words, so that nothing of the words stays behind in OpenSSL's own block buffer.
Result<void> Keystream::write(std::span<std::uint64_t> words) {
  assert(words.size() <= greatest_run);
  std::ranges::fill(words, 0);
  Scratch next;
  if (context_ && encrypt(std::as_writable_bytes(words)) && encrypt(next.bytes) && install(next.bytes)) return {};
  wipe(words);
  return close();
}

Result<void> Keystream::mix(SeedBytes fresh) {
  Scratch next;
  const bool drawn = context_ && encrypt(next.bytes);
  std::ranges::transform(next.bytes, fresh, next.bytes.begin(), std::bit_xor<>());
  wipe(fresh);
  if (drawn && install(next.bytes)) return {};
  return close();
}

bool Keystream::encrypt(std::span<std::byte> bytes) {
  const int size = static_cast<int>(bytes.size());
  int written = 0;
  return EVP_EncryptUpdate(context_.get(), raw(bytes.data()), &written, raw(bytes.data()), size) == 1 &&
         written == size;
}

// Overwrites the expanded key and the counter of the run before.
bool Keystream::install(SeedBytes seed) {
  return EVP_EncryptInit_ex2(context_.get(), nullptr, raw(seed.data()), raw(seed.data() + 32), nullptr) == 1;
}

Failure Keystream::close() {
  context_.reset();
  return cipher_failed();
}

}  // namespace vernier::random
