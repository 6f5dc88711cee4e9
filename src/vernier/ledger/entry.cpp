#include "vernier/ledger/entry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <vector>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"

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

Result<std::string> digest_of(const Documents& documents) {
  std::string text;
  for (const Document& document : documents) {
    add_netstring(text, document.name);
    add_netstring(text, document.content);
  }
  return sha256(text);
}

const Document* document_named(const Documents& documents, std::string_view name) {
  const auto found =
      std::find_if(documents.begin(), documents.end(), [&](const Document& one) { return one.name == name; });
  return found == documents.end() ? nullptr : &*found;
}

namespace {

Result<void> checked(const std::string& ledger, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return {};
  return fail(ErrorKind::system, "the ledger '" + ledger + "' takes no text with a zero byte in it",
              "nothing was written");
}

}  // namespace

std::optional<Kind> kind_named(std::string_view name) {
  for (const Kind kind : {Kind::reserve, Kind::settle, Kind::shares, Kind::terms}) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

std::optional<Manner> manner_named(std::string_view name) {
  for (const Manner manner : {Manner::total, Manner::divergence}) {
    if (name_of(manner) == name) return manner;
  }
  return std::nullopt;
}

Result<void> texts_fit(const std::string& ledger, const Entry& entry) {
  for (const std::string* text : {&entry.release, &entry.request, &entry.analyst, &entry.study, &entry.unit,
                                  &entry.plan, &entry.content, &entry.hash}) {
    if (Result<void> fits = checked(ledger, *text); !fits) return fits;
  }
  return {};
}

Result<void> texts_fit(const std::string& ledger, const std::string& release, const Documents& documents) {
  if (Result<void> fits = checked(ledger, release); !fits) return fits;
  for (const Document& document : documents) {
    if (Result<void> fits = checked(ledger, document.name); !fits) return fits;
  }
  return {};
}

}  // namespace vernier::ledger
