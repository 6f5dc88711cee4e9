#pragma once

#include <string>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::ledger {

// A file of a release, as it is stored and given out again.
struct Document {
  std::string name;  // "release.json"
  std::string content;

  friend bool operator==(const Document&, const Document&) = default;
};
using Documents = std::vector<Document>;

// SHA-256 over netstrings of names and contents, in their order.
Result<std::string> digest_of(const Documents& documents);

const Document* document_named(const Documents& documents, std::string_view name);

}  // namespace vernier::ledger
