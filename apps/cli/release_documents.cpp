#include "cli/release_documents.hpp"

#include <fmt/format.h>

#include "cli/release_csv.hpp"
#include "cli/release_report.hpp"
#include "cli/slug.hpp"

namespace vernier::cli {
namespace {

constexpr std::string_view json_name = "release.json";
constexpr std::string_view report_name = "report.txt";

std::vector<std::string> names_of(const plan::BoundStudy& study) {
  std::vector<std::string> names;
  for (const plan::BoundStatistic& statistic : study.statistics) names.push_back(statistic.name);
  return names;
}

std::string report_text(const AskedStudy& asked, const release::Release& release) {
  Output report;
  write_release_report(report, asked, release);
  return report.text();
}

const std::string& content_of(const release::Answer& answer, std::string_view name) {
  static const std::string nothing;
  const ledger::Document* document = ledger::document_named(answer.documents, name);
  return document == nullptr ? nothing : document->content;
}

}  // namespace

release::Asked asked_of(const AskedStudy& asked) {
  std::vector<std::string> sql;
  for (const query::Statistic& statistic : asked.study.statistics) sql.push_back(statistic.sql);
  return {asked.name, std::move(sql), asked.study.alpha};
}

Result<ledger::Documents> documents_of(const AskedStudy& asked, const release::Release& release,
                                       const release::SigningKey& key) {
  Result<std::string> json = release::signed_release_json(release, asked_of(asked), key);
  if (!json) return Failure(json.error());
  ledger::Documents documents = {{std::string(json_name), *std::move(json)}};
  const std::vector<std::string> slugs = slugs_of(names_of(release.plan.study));
  for (std::size_t i = 0; i < slugs.size(); ++i) {
    documents.push_back({slugs[i] + ".csv", release_csv(release.plan.study.statistics[i].query, release.tables[i])});
  }
  documents.push_back({std::string(report_name), report_text(asked, release)});
  return documents;
}

void write_answer(Output& output, const release::Answer& answer, bool as_json, std::string_view document) {
  if (as_json) return output.write(content_of(answer, document));
  if (answer.is_repeated) {
    output.write(
        fmt::format("this request was answered before, as entry {} of the ledger: the same again, not charged\n\n",
                    answer.receipt.index));
  }
  output.write(content_of(answer, report_name));
}

Result<void> write_documents(const ReleaseFolder& folder, const ledger::Documents& documents) {
  for (const ledger::Document& document : documents) {
    if (document.name == report_name) continue;
    if (Result<void> written = folder.write(document.name, document.content); !written) return written;
  }
  return {};
}

}  // namespace vernier::cli
