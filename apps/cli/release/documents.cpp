#include "cli/release/documents.hpp"

#include <fmt/format.h>

#include "report/charts.hpp"
#include "report/page.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/release/derived/shown.hpp"
#include "vernier/study/documents.hpp"

namespace vernier::cli {
namespace {

std::string report_text(const study::Published& published) {
  Output report;
  write_release_report(report, published.study, published.release);
  return report.text();
}

// The charts, named by statistic, and by column where it has several.
void add_charts(ledger::Documents& documents, const study::Published& published) {
  const release::Release& release = published.release;
  std::vector<plot::EstimateChart> charts;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < release.tables.size(); ++i) {
    const release::Shown shown(release.plan.study.statistics[i], release.tables[i]);
    for (plot::EstimateChart& chart :
         report::charts_of(shown.statistic(), shown.table(),
                           report::confidence_of(shown.statistic(), published.study.question.alpha))) {
      names.push_back(chart.title);
      charts.push_back(std::move(chart));
    }
  }
  const std::vector<std::string> slugs = study::slugs_of(names);
  for (std::size_t i = 0; i < slugs.size(); ++i) documents.push_back({slugs[i] + ".svg", plot::render(charts[i])});
}

// The numbers are paid for: they are answered even where a file to look at cannot be made, which the text for a person
// then says.
void add(ledger::Documents& documents, std::string name, Result<std::string> content, std::string& lacking) {
  if (content) {
    documents.push_back({std::move(name), *std::move(content)});
  } else {
    lacking += name + " is missing: " + content.error().sentence() + "\n";
  }
}

Result<std::string> page_of(const study::Published& published) {
  const release::Asked question = study::asked_of(published.study);
  return report::page({published.release, question, published.balance});
}

Result<std::string> parquet_of(const study::Published& published) {
  return study::parquet_document(published).map([](ledger::Document made) { return std::move(made.content); });
}

const std::string& content_of(const study::Answer& answer, std::string_view name) {
  static const std::string nothing;
  const ledger::Document* document = ledger::document_named(answer.documents, name);
  return document == nullptr ? nothing : document->content;
}

}  // namespace

Result<ledger::Documents> made_of(const study::Published& published, Files files) {
  ledger::Documents documents;
  std::string lacking;
  if (files.csv) documents = study::csv_documents(published.release);
  if (files.charts) add_charts(documents, published);
  if (files.page) add(documents, "report.html", page_of(published), lacking);
  if (files.parquet) add(documents, "results.parquet", parquet_of(published), lacking);
  if (files.text) documents.push_back({std::string(study::spoken), report_text(published) + lacking});
  return documents;
}

study::MakeDocuments documents_beside(Files files) {
  return [files](const study::Published& published) { return made_of(published, files); };
}

void write_answer(Output& output, const study::Answer& answer, bool as_json, std::string_view document) {
  if (as_json) return output.write_exactly(content_of(answer, document));
  if (answer.is_repeated) {
    output.write(
        fmt::format("this request was answered before, as entry {} of the ledger: the same again, not charged\n\n",
                    answer.receipt.index));
  }
  output.write(content_of(answer, study::spoken));
}

}  // namespace vernier::cli
