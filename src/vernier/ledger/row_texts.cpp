#include "vernier/ledger/row_texts.hpp"

#include <initializer_list>

namespace vernier::ledger {
namespace {

Result<void> checked(const std::string& ledger, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return {};
  return fail(ErrorKind::system,
              "the ledger '" + ledger + "' takes no text with a zero byte in it; nothing was written");
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
