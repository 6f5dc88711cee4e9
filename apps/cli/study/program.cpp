#include "cli/study/program.hpp"

#include <utility>

#include "cli/catalog/catalog.hpp"
#include "cli/coverage/coverage.hpp"
#include "cli/coverage/denoise.hpp"
#include "cli/ledger/history.hpp"
#include "cli/ledger/show.hpp"
#include "cli/ledger/verify.hpp"
#include "cli/verify/verify.hpp"
#include "vernier/query/duckdb/sql.hpp"

namespace vernier::cli {
namespace {

// What is written into an output without a file.
template <class Write>
std::string text_by(const Write& write) {
  Output output;
  write(output);
  return output.text();
}

Result<std::optional<release::PublicKey>> key_in(const std::optional<std::string>& pem) {
  if (!pem) return std::nullopt;
  return public_key_in(*pem, "the public key").map([](const release::PublicKey& key) { return std::optional(key); });
}

}  // namespace

std::string catalog_json(const LocatedText& catalog) {
  const auto reading = query::with_definitions(query::examine_catalog_text(catalog.path, catalog.text));
  return text_by([&](Output& output) { write_json(output, catalog.path.string(), reading); });
}

std::string plan_json(const PlanAnswer& answer) {
  return text_by([&](Output& output) { write_plan_json(output, answer); });
}

std::string plan_text(const PlanAnswer& answer) {
  return text_by([&](Output& output) { write_plan_report(output, answer); });
}

Result<release::Answer> release_of(const AskedStudy& asked, const Asker& asker, const Supply& supply,
                                   const MakeDocuments& make) {
  VERNIER_TRY(const plan::Plan plan, plan::allocate(asked.bound));
  VERNIER_TRY(check_sources(asked, supply.memory));
  return publish(asked, plan, asker, make, supply);
}

Result<release::Verdict> verdict_on(const std::string& record, const std::optional<std::string>& public_key_pem) {
  return key_in(public_key_pem).map([&](const auto& key) { return release::verify(record, key); });
}

Result<release::Verdict> verdict_on_folder(const std::filesystem::path& folder,
                                           const std::optional<std::string>& public_key_pem) {
  return key_in(public_key_pem).and_then([&](const auto& key) { return verify_folder(folder, key); });
}

std::string verdict_json(const release::Verdict& verdict) {
  return text_by([&](Output& output) { write_verdict_json(output, verdict); });
}

Result<std::string> ledger_show_json(const LocatedText& catalog, const std::vector<std::int64_t>& within,
                                     const Progress& progress) {
  return ledger_show(catalog, within, progress).map([](const LedgerShow& show) {
    return text_by([&](Output& output) { write_ledger_json(output, show); });
  });
}

Result<std::string> ledger_history_json(const LocatedText& catalog, const std::optional<std::string>& analyst,
                                        std::optional<std::int64_t> last, const Progress& progress) {
  Output output;
  return write_ledger_history(output, catalog, {analyst, last}, true, progress).map([&] { return output.text(); });
}

Result<std::string> ledger_verify_json(const LocatedText& catalog, const std::vector<LocatedText>& releases,
                                       const Progress& progress) {
  std::vector<PublishedRelease> published;
  for (const LocatedText& release : releases) {
    VERNIER_TRY(PublishedRelease one, published_in(release.path.string(), release.text));
    published.push_back(std::move(one));
  }
  Output output;
  return write_ledger_verify(output, catalog, std::move(published), true, progress).map([&] { return output.text(); });
}

}  // namespace vernier::cli
