#include "vernier/study/repeat.hpp"

#include <map>
#include <mutex>

#include "vernier/core/hash.hpp"
#include "vernier/core/keyed_hash.hpp"
#include "vernier/engine/arrow/digest.hpp"
#include "vernier/engine/source_columns.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/release/signing/key_file.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::study {
namespace {

// Secret: the signature of a text that nothing else signs, since every record begins with a brace. Ed25519 signs the
// same text always alike (RFC 8032).
Result<std::string> key_of_installation() {
  VERNIER_TRY(const release::SigningKey key, release::installation_key());
  return key.sign("vernier: the key by which rows are told apart, version 1");
}

// The hashes of files that were read to their end before, by path and state; none while the state may still be that of
// other content.
class Known {
 public:
  Result<std::string> hash_of(const std::filesystem::path& path) {
    const auto state = engine::state_of_file(path.string());
    const std::string name = state ? engine::text_of(*state, path.string()) : "";
    const std::scoped_lock lock(mutex_);
    if (const auto found = hashes_.find(name); !name.empty() && found != hashes_.end()) return found->second;
    VERNIER_TRY(const std::string hash, sha256_of_file(path));
    if (!name.empty()) hashes_[name] = hash;
    return hash;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> hashes_;
};

Result<std::string> hash_of_rows(const query::Catalog& catalog, const query::Table& table, const Request& request,
                                 std::string_view key) {
  static Known files;
  VERNIER_TRY(const engine::SourceColumns source, engine::source_columns(catalog, table, request.memory));
  if (source.rows) return engine::digest_of(table, source, key);
  std::string hashes;
  for (const engine::SourceFile& file : source.files) {
    VERNIER_TRY(const std::string hash, files.hash_of(file.path));
    hashes += hash;
  }
  return hashes;
}

bool is_here(const query::Table& table) { return table.source.kind != query::SourceKind::table; }

}  // namespace

Result<std::string> id_of_same(const Plan& plan, const Request& request) {
  VERNIER_TRY(const std::string key, key_of_installation());
  VERNIER_TRY(KeyedHash id, KeyedHash::of(key));
  VERNIER_TRY(const std::string asked, sha256(plan::canonical(plan.content())));
  id.add_counted(asked);
  id.add_counted(plan.study().name);
  id.add_counted(request.analyst);
  for (const query::Table& table : plan.study().tables()) {
    if (!is_here(table)) return std::string();
    VERNIER_TRY(const std::string rows, hash_of_rows(plan.study().bound.catalog, table, request, key));
    id.add_counted(table.name);
    id.add_counted(rows);
  }
  VERNIER_TRY(const std::string digits, std::move(id).digits());
  return "same-" + digits.substr(0, 32);
}

}  // namespace vernier::study
