#include "cli/texts.hpp"

#include <span>
#include <utility>

#include "cli/catalog/catalog.hpp"
#include "cli/commands.hpp"
#include "cli/ledger/ledger.hpp"
#include "cli/verify/verify.hpp"
#include "vernier/study/ledger.hpp"
#include "vernier/study/verify.hpp"

namespace vernier::cli {
namespace {

// What is written into an output without a file.
template <class Write>
std::string text_by(const Write& write) {
  Output output;
  write(output);
  return output.text();
}

}  // namespace

std::string catalog_json(const study::Text& catalog, const vernier::Spelling& spelling) {
  const auto reading = study::examine(catalog);
  return text_by([&](Output& output) { write_json(output, catalog.path.string(), reading, spelling); });
}

Result<std::string> printed(const std::vector<std::string>& words) {
  for (const Command& command : commands()) {
    if (words.empty() || command.usage.name != words.front()) continue;
    VERNIER_TRY(const Arguments arguments, parse(command.usage, std::span(words).subspan(1)));
    Output output;
    return command.run(arguments, output).map([&] { return output.text(); });
  }
  return invalid("there is no such command");
}

std::string plan_json(const PlanAnswer& answer) {
  return text_by([&](Output& output) { write_plan_json(output, answer); });
}

std::string plan_text(const PlanAnswer& answer) {
  return text_by([&](Output& output) { write_plan_report(output, answer); });
}

std::string verdict_json(const release::Verdict& verdict) {
  return text_by([&](Output& output) { write_verdict_json(output, verdict); });
}

Result<std::string> ledger_show_json(const study::Text& catalog, const std::vector<std::int64_t>& within,
                                     const Progress& progress) {
  VERNIER_TRY(check_within(within));
  return study::ledger_show(catalog, within, progress).map([](const study::LedgerShow& show) {
    return text_by([&](Output& output) { write_ledger_json(output, show); });
  });
}

Result<std::string> ledger_history_json(const study::Text& catalog, const std::optional<std::string>& analyst,
                                        std::optional<std::int64_t> last, const Progress& progress) {
  Output output;
  return write_ledger_history(output, catalog, {analyst, last}, true, progress).map([&] { return output.text(); });
}

Result<std::string> ledger_verify_json(const study::Text& catalog, const std::vector<study::Text>& releases,
                                       const Progress& progress) {
  std::vector<study::PublishedRelease> published;
  for (const study::Text& release : releases) {
    VERNIER_TRY(study::PublishedRelease one, study::published_in(release.path.string(), release.text));
    published.push_back(std::move(one));
  }
  Output output;
  return write_ledger_verify(output, catalog, std::move(published), true, progress).map([&] { return output.text(); });
}

}  // namespace vernier::cli
