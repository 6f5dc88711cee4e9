#pragma once

#include <cstdint>
#include <string>

#include "vernier/core/result.hpp"
#include "vernier/ledger/entry.hpp"

namespace vernier::cli {

// A release.json that was given out, as far as it is about the ledger.
struct PublishedRelease {
  std::string file;
  std::string content;
  std::string release;
  std::int64_t index;
  std::string head;
};
Result<PublishedRelease> read_published(const std::string& file);
Result<PublishedRelease> published_in(const std::string& file, std::string text);  // the same for its content

// That the ledger has the entry which the release names, and that the entry paid for this release.
Result<void> check_entry(const PublishedRelease& published, const ledger::Entry& entry);

// That it is what was stored for it, byte by byte; nothing is said where nothing was stored.
Result<void> check_stored(const PublishedRelease& published, const ledger::Documents& documents);

}  // namespace vernier::cli
