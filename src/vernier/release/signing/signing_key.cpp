#include "vernier/release/signing/signing_key.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "vernier/core/hash.hpp"

namespace vernier::release {
namespace {

using Bytes32 = std::array<unsigned char, 32>;
using Bytes64 = std::array<unsigned char, 64>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

KeyHandle handle(EVP_PKEY* key) {
  ERR_clear_error();
  return key == nullptr ? KeyHandle() : KeyHandle(key, EVP_PKEY_free);
}

Failure failed(const char* what) {
  ERR_clear_error();
  return fail(ErrorKind::system, std::string("OpenSSL could not ") + what + "; check its installation");
}

bool is_ed25519(const KeyHandle& key) { return key && EVP_PKEY_is_a(key.get(), "ED25519") == 1; }

std::optional<unsigned> digit_of(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  return std::nullopt;
}

// None for anything but lower-case hex of just this length.
template <class Bytes>
std::optional<Bytes> bytes_of(std::string_view digits) {
  Bytes bytes{};
  if (digits.size() != 2 * bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto high = digit_of(digits[2 * i]), low = digit_of(digits[2 * i + 1]);
    if (!high || !low) return std::nullopt;
    bytes[i] = static_cast<unsigned char>(*high << 4U | *low);
  }
  return bytes;
}

template <class Bytes>
std::string hex_of(const Bytes& bytes) {
  return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

const unsigned char* bytes_in(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

Bio reader_of(std::string_view text) { return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free}; }

// What was written into memory, which OpenSSL clears when it goes.
std::string text_in(const Bio& bio) {
  char* start = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &start);
  return {start, static_cast<std::size_t>(size)};
}

int no_password(char*, int, int, void*) { return -1; }

}  // namespace

Result<PublicKey> PublicKey::of_handle(KeyHandle key) {
  Bytes32 raw{};
  std::size_t size = raw.size();
  if (EVP_PKEY_get_raw_public_key(key.get(), raw.data(), &size) != 1) return failed("read a public key");
  return sha256({reinterpret_cast<const char*>(raw.data()), raw.size()}).map([&](const std::string& fingerprint) {
    return PublicKey(std::move(key), hex_of(raw), fingerprint);
  });
}

Result<PublicKey> PublicKey::of_hex(std::string_view digits) {
  const auto raw = bytes_of<Bytes32>(digits);
  if (!raw) return invalid("a public key must be 64 hex digits in lower case");
  KeyHandle key = handle(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw->data(), raw->size()));
  if (!key) return invalid("the public key is none of Ed25519");
  return of_handle(std::move(key));
}

Result<PublicKey> PublicKey::of_pem(std::string_view text) {
  const Bio bio = reader_of(text);
  KeyHandle key = handle(PEM_read_bio_PUBKEY(bio.get(), nullptr, no_password, nullptr));
  if (!is_ed25519(key)) return invalid("holds no Ed25519 public key in PEM; 'vernier key' prints one");
  return of_handle(std::move(key));
}

Result<std::string> PublicKey::pem() const {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (PEM_write_bio_PUBKEY(bio.get(), key_.get()) != 1) return failed("write a public key");
  return text_in(bio);
}

bool PublicKey::verifies(std::string_view text, std::string_view signature) const {
  const auto raw = bytes_of<Bytes64>(signature);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!raw || EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key_.get()) != 1) return false;
  const bool holds = EVP_DigestVerify(context.get(), raw->data(), raw->size(), bytes_in(text), text.size()) == 1;
  ERR_clear_error();
  return holds;
}

Result<SigningKey> SigningKey::of_handle(KeyHandle key) {
  return PublicKey::of_handle(key).map(
      [&](const PublicKey& public_key) { return SigningKey(std::move(key), public_key); });
}

Result<SigningKey> SigningKey::generate() {
  KeyHandle key = handle(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!key) return failed("make a signing key");
  return of_handle(std::move(key));
}

Result<SigningKey> SigningKey::of_pem(std::string_view text) {
  const Bio bio = reader_of(text);
  KeyHandle key = handle(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  if (!is_ed25519(key)) return invalid("holds no Ed25519 key in PEM (PKCS#8, without a password)");
  return of_handle(std::move(key));
}

Result<std::string> SigningKey::sign(std::string_view text) const {
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  Bytes64 raw{};
  std::size_t size = raw.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) != 1) return failed("begin to sign");
  if (EVP_DigestSign(context.get(), raw.data(), &size, bytes_in(text), text.size()) != 1) return failed("sign");
  return hex_of(raw);
}

Result<std::string> SigningKey::pem() const {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1) {
    return failed("write a signing key");
  }
  return text_in(bio);
}

namespace {

constexpr std::string_view before_key = "\"public_key\":\"";
constexpr std::string_view before_signature = "\",\"signature\":\"";
constexpr std::string_view at_the_end = "\"}}\n";

bool is_hex(std::string_view digits) {
  return std::all_of(digits.begin(), digits.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// Takes so many characters from the end, or everything there is.
std::string_view take_back(std::string_view& text, std::size_t count) {
  const std::size_t start = text.size() - std::min(count, text.size());
  const std::string_view taken = text.substr(start);
  text.remove_suffix(taken.size());
  return taken;
}

}  // namespace

Result<std::string> with_signature(std::string text, const SigningKey& key) {
  return key.sign(text).map([&](const std::string& signature) {
    text.insert(text.size() - at_the_end.size(), signature);
    return std::move(text);
  });
}

Result<SignedText> signed_text(std::string_view record) {
  std::string_view rest = record;
  const bool ends_well = take_back(rest, at_the_end.size()) == at_the_end;
  const std::string_view signature = take_back(rest, PublicKey::signature_digits);
  const std::string before(rest);
  const bool has_signature = take_back(rest, before_signature.size()) == before_signature && is_hex(signature);
  const std::string_view key = take_back(rest, PublicKey::hex_digits);
  const bool has_key = take_back(rest, before_key.size()) == before_key && is_hex(key);
  if (!ends_well || !has_signature || !has_key) {
    return invalid(
        "it does not end with a public key and a signature as releases do; ask for the file as it was "
        "published, byte by byte");
  }
  return SignedText{before + std::string(at_the_end), std::string(key), std::string(signature)};
}

}  // namespace vernier::release
