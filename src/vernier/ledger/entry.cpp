#include "vernier/ledger/entry.hpp"

#include <array>
#include <charconv>
#include <vector>

#include "vernier/core/netstring.hpp"

namespace vernier::ledger {
namespace {

// Of the fields that are no texts: two names and four numbers of 20 digits at most.
constexpr std::size_t longest_rest = 6 * (20 + netstring_frame);

char* put_number(char* at, std::int64_t number) {
  char digits[20];
  return put_netstring(at, {digits, std::to_chars(digits, digits + sizeof digits, number).ptr});
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::terms:
      return "terms";
    case Kind::shares:
      return "shares";
    case Kind::reserve:
      return "reserve";
    case Kind::settle:
      return "settle";
  }
  return "";
}

Result<Sha256Digits> digits_of(std::string_view previous, const Entry& entry) {
  const std::array<std::string_view, 8> texts = {entry.release, entry.request, entry.analyst, entry.study,
                                                 entry.unit,    entry.plan,    entry.content, previous};
  std::size_t room = longest_rest;
  for (const std::string_view text : texts) room += text.size() + netstring_frame;
  thread_local std::vector<char> bytes;  // whose memory serves the next entry, too
  if (bytes.size() < room) bytes.resize(2 * room);
  char* end = put_netstring(bytes.data(), previous);
  end = put_number(end, entry.index);
  end = put_netstring(end, name_of(entry.kind));
  end = put_number(end, entry.time);
  for (std::size_t i = 0; i < 6; ++i) end = put_netstring(end, texts[i]);
  end = put_netstring(end, name_of(entry.manner));
  end = put_number(end, entry.cost.epsilon);
  end = put_number(end, entry.cost.delta);
  end = put_netstring(end, entry.content);
  return sha256_digits({bytes.data(), end});
}

Result<std::string> hash_of(std::string_view previous, const Entry& entry) {
  return digits_of(previous, entry).map([](const Sha256Digits& digits) { return std::string(text_of(digits)); });
}

}  // namespace vernier::ledger
