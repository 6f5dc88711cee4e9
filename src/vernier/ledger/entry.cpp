#include "vernier/ledger/entry.hpp"

#include <charconv>

#include "vernier/core/hash.hpp"
#include "vernier/core/netstring.hpp"

namespace vernier::ledger {

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

Result<std::string> hash_of(std::string_view previous, const Entry& entry) {
  thread_local std::string text;  // whose memory serves the next entry, too
  text.clear();
  const auto add = [](std::string_view field) { add_netstring(text, field); };
  const auto add_number = [&](std::int64_t number) {
    char digits[20];
    add({digits, std::to_chars(digits, digits + sizeof digits, number).ptr});
  };
  add(previous);
  add_number(entry.index);
  add(name_of(entry.kind));
  add_number(entry.time);
  for (const std::string* field :
       {&entry.release, &entry.request, &entry.analyst, &entry.study, &entry.unit, &entry.plan}) {
    add(*field);
  }
  add(name_of(entry.manner));
  add_number(entry.cost.epsilon);
  add_number(entry.cost.delta);
  add(entry.content);
  return sha256(text);
}

}  // namespace vernier::ledger
