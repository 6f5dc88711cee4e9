#pragma once

#include <string>
#include <string_view>

#include "vernier/release/signing_key.hpp"

// The end of every record:  "public_key":"64 hex digits","signature":"128 hex digits"}} and a line feed. The signature
// is over the whole text without its own 128 digits.
namespace vernier::release {

// `text` is a record whose signature is "".
Result<std::string> with_signature(std::string text, const SigningKey& key);

// A record taken apart. An error where its end is not of this form.
struct SignedText {
  std::string content;     // what is signed
  std::string public_key;  // that the record names
  std::string signature;
};
Result<SignedText> signed_text(std::string_view record);

}  // namespace vernier::release
