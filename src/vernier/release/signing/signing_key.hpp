#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

struct evp_pkey_st;  // OpenSSL's

// Ed25519 (RFC 8032), by OpenSSL. Signatures and raw keys are lower-case hex here.
namespace vernier::release {

using KeyHandle = std::shared_ptr<evp_pkey_st>;

// By which anyone checks a signature.
class PublicKey {
 public:
  static constexpr std::size_t hex_digits = 64;
  static constexpr std::size_t signature_digits = 128;

  static Result<PublicKey> of_hex(std::string_view digits);
  static Result<PublicKey> of_pem(std::string_view text);  // SubjectPublicKeyInfo, as `openssl pkey -pubout` writes it

  const std::string& hex() const { return hex_; }
  const std::string& fingerprint() const { return fingerprint_; }  // SHA-256 of the raw 32 bytes
  Result<std::string> pem() const;

  // Whether this is the signature of the text. False for anything but 128 lower-case hex digits.
  bool verifies(std::string_view text, std::string_view signature) const;

  friend bool operator==(const PublicKey& a, const PublicKey& b) { return a.hex_ == b.hex_; }

 private:
  friend class SigningKey;
  static Result<PublicKey> of_handle(KeyHandle key);
  PublicKey(KeyHandle key, std::string hex, std::string fingerprint)
      : key_(std::move(key)), hex_(std::move(hex)), fingerprint_(std::move(fingerprint)) {}
  KeyHandle key_;
  std::string hex_;
  std::string fingerprint_;
};

// By which one installation signs. Its secret stays inside OpenSSL's object, which clears it.
class SigningKey {
 public:
  static Result<SigningKey> generate();
  static Result<SigningKey> of_pem(std::string_view text);  // PKCS#8 without a password

  const PublicKey& public_key() const { return public_key_; }
  Result<std::string> sign(std::string_view text) const;  // 128 hex digits
  Result<std::string> pem() const;                        // the secret: wipe it after use

 private:
  static Result<SigningKey> of_handle(KeyHandle key);
  SigningKey(KeyHandle key, PublicKey public_key) : key_(std::move(key)), public_key_(std::move(public_key)) {}
  KeyHandle key_;
  PublicKey public_key_;
};

// The end of every record:  "public_key":"64 hex digits","signature":"128 hex digits"}} and a line feed. The signature
// is over the whole text without its own 128 digits. `text` is a record whose signature is "".
Result<std::string> with_signature(std::string text, const SigningKey& key);

// A record taken apart. An error where its end is not of this form.
struct SignedText {
  std::string content;     // what is signed
  std::string public_key;  // that the record names
  std::string signature;
};
Result<SignedText> signed_text(std::string_view record);

}  // namespace vernier::release
