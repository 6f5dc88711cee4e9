#include "cli/study/published_release.hpp"

#include <fmt/format.h>

#include "cli/file.hpp"
#include "vernier/release/record/json_in.hpp"

namespace vernier::cli {
namespace {

using json = release::Json;

Failure does_not_hold(const PublishedRelease& published, const std::string& why) {
  return fail(ErrorKind::system, fmt::format("'{}' does not belong to this ledger: {}", published.file, why));
}

Failure no_release(const std::string& file) {
  return invalid(fmt::format("'{}' is no release.json: it names no release and no entry of a ledger", file));
}

bool has_receipt(const json& content) {
  if (!content.is_object() || !content.contains("release") || !content["release"].is_string()) return false;
  if (!content.contains("ledger") || !content["ledger"].is_object()) return false;
  const json& receipt = content["ledger"];
  return receipt.contains("index") && receipt["index"].is_number_integer() && receipt.contains("head") &&
         receipt["head"].is_string();
}

}  // namespace

Result<PublishedRelease> read_published(const std::string& file) {
  return read_file(file).and_then([&](std::string text) { return published_in(file, std::move(text)); });
}

Result<PublishedRelease> published_in(const std::string& file, std::string text) {
  constexpr int most_depth = 12;
  const Result<json> read = release::parse_strictly(text, most_depth);
  if (!read) return invalid(fmt::format("'{}' is no release.json: {}", file, read.error().sentence));
  const json& content = *read;
  if (!has_receipt(content)) return no_release(file);
  const json& receipt = content["ledger"];
  return PublishedRelease{file, std::move(text), content["release"].get<std::string>(),
                          receipt["index"].get<std::int64_t>(), receipt["head"].get<std::string>()};
}

Result<void> check_entry(const PublishedRelease& published, const ledger::Entry& entry) {
  if (entry.hash != published.head) {
    return does_not_hold(published, fmt::format("entry {} has another hash than the release says", entry.index));
  }
  if (entry.kind != ledger::Kind::reserve || entry.release != published.release) {
    return does_not_hold(published, fmt::format("entry {} paid for another release", entry.index));
  }
  return {};
}

Result<void> check_stored(const PublishedRelease& published, const ledger::Documents& documents) {
  const ledger::Document* const stored = ledger::document_named(documents, "release.json");
  if (stored == nullptr) return {};
  if (published.content == stored->content) return {};
  return does_not_hold(published, "it is not, byte by byte, what was stored for its release");
}

}  // namespace vernier::cli
