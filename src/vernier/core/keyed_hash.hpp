#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

struct evp_mac_ctx_st;  // OpenSSL's

namespace vernier {

// HMAC-SHA-256 (FIPS 198-1) of bytes that come in parts: without the key nobody can tell what was hashed, not even
// whether it was what they guess.
class KeyedHash {
 public:
  static Result<KeyedHash> of(std::string_view key);

  void add(std::string_view bytes);         // an error of OpenSSL's is told at the end
  void add_counted(std::string_view text);  // its length before it, so that texts behind each other are told apart
  Result<std::string> digits() &&;          // 64 hex digits

 private:
  using Context = std::unique_ptr<evp_mac_ctx_st, void (*)(evp_mac_ctx_st*)>;
  explicit KeyedHash(Context context) : context_(std::move(context)) {}

  Context context_;
  bool is_sound_ = true;
};

}  // namespace vernier
