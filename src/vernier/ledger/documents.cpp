#include "vernier/ledger/documents.hpp"

#include <algorithm>

#include "vernier/core/hash.hpp"
#include "vernier/core/netstring.hpp"

namespace vernier::ledger {

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

}  // namespace vernier::ledger
