#include "cli/release/documents.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/release/csv.hpp"
#include "cli/release/report.hpp"
#include "report/charts.hpp"
#include "report/page.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/release/record/duckdb_results.hpp"

namespace vernier::cli {
namespace {

constexpr std::size_t longest_slug = 60;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char character : name) {
    const char small = character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
    if (is_plain(small)) {
      slug += small;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    if (slug.size() == longest_slug) break;
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "statistic" : slug;
}

}  // namespace

std::vector<std::string> slugs_of(const std::vector<std::string>& names) {
  std::vector<std::string> slugs;
  for (const std::string& name : names) {
    const std::string base = slug_of(name);
    std::string slug = base;
    for (int i = 2; std::find(slugs.begin(), slugs.end(), slug) != slugs.end(); ++i)
      slug = fmt::format("{}-{}", base, i);
    slugs.push_back(std::move(slug));
  }
  return slugs;
}

namespace {

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

// One file for each statistic, and one for the differences of its groups where they are asked.
void add_csv(ledger::Documents& documents, const release::Release& release) {
  const auto& statistics = release.plan.study.statistics;
  std::vector<std::string> names = names_of(release.plan.study);
  for (const plan::BoundStatistic& one : statistics) {
    if (!one.inference.differences.empty()) names.push_back(one.name + " differences");
  }
  const std::vector<std::string> slugs = slugs_of(names);
  std::size_t of_differences = statistics.size();
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    documents.push_back({slugs[i] + ".csv", release_csv(statistics[i].query, release.tables[i])});
    if (statistics[i].inference.differences.empty()) continue;
    documents.push_back({slugs[of_differences++] + ".csv", differences_csv(statistics[i].query, release.tables[i])});
  }
}

// The charts, named by statistic, and by column where it has several.
void add_charts(ledger::Documents& documents, const AskedStudy& asked, const release::Release& release) {
  const std::string confidence = text::confidence_text(nearest(asked.study.alpha));
  std::vector<plot::EstimateChart> charts;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < release.tables.size(); ++i) {
    for (plot::EstimateChart& chart :
         report::charts_of(release.plan.study.statistics[i], release.tables[i], confidence)) {
      names.push_back(chart.title);
      charts.push_back(std::move(chart));
    }
  }
  const std::vector<std::string> slugs = slugs_of(names);
  for (std::size_t i = 0; i < slugs.size(); ++i) documents.push_back({slugs[i] + ".svg", plot::render(charts[i])});
}

void add(ledger::Documents& documents, std::string name, Result<std::string> content, std::string& lacking) {
  if (content) {
    documents.push_back({std::move(name), *std::move(content)});
  } else {
    lacking += name + " is missing: " + content.error().sentence() + "\n";
  }
}

// The files that people look at. The numbers are paid for: they are answered even where one of these cannot be made,
// which the text for a person then says.
std::string add_looked_at(ledger::Documents& documents, const AskedStudy& asked, const release::Release& release,
                          const ledger::Balance& balance) {
  add_charts(documents, asked, release);
  const release::Asked question = asked_of(asked);
  std::string lacking;
  add(documents, "report.html", report::page({release, question, balance}), lacking);
  add(documents, "results.parquet", release::results_parquet(release, question), lacking);
  return lacking;
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

Result<void> add_record(ledger::Documents& documents, const AskedStudy& asked, const release::Release& release,
                        const release::SigningKey& key) {
  VERNIER_TRY(std::vector<release::DocumentHash> hashes, release::hashes_of(documents));
  release::Asked question = asked_of(asked);
  question.documents = std::move(hashes);
  return release::signed_release_json(release, question, key).map([&](std::string record) {
    documents.insert(documents.begin(), {std::string(release::record_name), std::move(record)});
  });
}

Result<ledger::Documents> documents_of(const AskedStudy& asked, const release::Release& release,
                                       const release::SigningKey& key, Files files, const ledger::Balance& balance) {
  ledger::Documents documents;
  add_csv(documents, release);
  std::string lacking;
  if (files == Files::all) lacking = add_looked_at(documents, asked, release, balance);
  VERNIER_TRY(add_record(documents, asked, release, key));
  documents.push_back({std::string(report_name), report_text(asked, release) + lacking});
  return documents;
}

MakeDocuments make_documents(Files files) {
  return [files](const AskedStudy& asked, const release::Release& release, const release::SigningKey& key,
                 const ledger::Balance& balance) { return documents_of(asked, release, key, files, balance); };
}

void write_answer(Output& output, const release::Answer& answer, bool as_json, std::string_view document) {
  if (as_json) return output.write_exactly(content_of(answer, document));
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
