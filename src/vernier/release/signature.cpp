#include "vernier/release/signature.hpp"

#include <algorithm>

namespace vernier::release {
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
