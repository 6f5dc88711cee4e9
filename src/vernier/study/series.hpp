#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vernier/release/series/step_record.hpp"
#include "vernier/study/plan.hpp"

// A study of series: planned once, paid for once, and released step by step. series.md has the rules of the steps.
namespace vernier::study {

// Read, bound and planned; no data file is opened for it.
struct SeriesStudy {
  std::string name;  // in releases and in the ledger
  query::SeriesStudy question;
  query::Catalog catalog;
  std::vector<plan::BoundSeries> bound;
  plan::SeriesPlan plan;
  std::string plan_hash;

  static Result<SeriesStudy> read(const std::filesystem::path& path, const CatalogRule& rule = {});
  static Result<SeriesStudy> of(const std::string& name, const Text& study, const Catalog& catalog);

  const query::Calendar& calendar() const { return question.series.front().calendar; }
  std::vector<query::Table> tables() const;  // that are read, each once
  plan::Plan charge() const;                 // the whole as the ledger meets it
};

// Whether the study of this file, or of this text, is one of series.
Result<bool> is_series_study(const std::filesystem::path& path);

// What the ledger of a plan's catalog has left, and what of it the plan would take. Nothing is written.
Result<LedgerState> ledger_state(const plan::Plan& plan, const std::string& analyst);

// What the ledger has left, and what of it the whole series would take.
Result<LedgerState> series_ledger(const SeriesStudy& study, const std::string& analyst = {});

// What is known of a step that was published.
struct StandingStep {
  std::int64_t step = 0, first = 0;             // of which noise was drawn for it: from the first on
  std::string record = {};                      // the hash of its record
  std::string before = "-";                     // of what is known of the one before it
  std::vector<release::NoisySteps> noisy = {};  // of each series
};

// What was released of it: the reservation, and the steps that were stored since, in their order.
struct SeriesStanding {
  std::optional<ledger::Entry> reservation = {};
  std::vector<StandingStep> steps = {};
  std::string last = "-";  // the hash of what is known of the last one

  std::int64_t next() const { return steps.empty() ? 0 : steps.back().step + 1; }
};
Result<SeriesStanding> series_standing(const SeriesStudy& study);

// What documents are made of.
struct PublishedStep {
  const SeriesStudy& study;
  const release::StepRecord& record;              // without the hashes of documents
  const std::vector<release::NoisyCells>& noisy;  // of each series, all steps up to it
};
using MakeStepDocuments = std::function<Result<ledger::Documents>(const PublishedStep&)>;

// One CSV of the step for each series, and one of all steps so far, with better values of past ones.
ledger::Documents step_csv_documents(const PublishedStep& published);

struct StepRequest {
  std::string analyst = {};
  MakeStepDocuments documents = step_csv_documents;
  std::optional<std::filesystem::path> folder = {};
  engine::MemoryTables memory = {};
  Progress progress = nobody_watches;
};

struct StepAnswer {
  query::Day step;              // its first day
  ledger::Receipt reservation;  // of the whole series
  ledger::Documents documents;
  bool is_repeated;      // stored before
  bool is_first;         // the reservation was made for it
  std::int64_t skipped;  // steps before it that were made up for

  const std::string& record_text() const;
};

// Publishes the step in which the day lies. The first time the whole series is reserved; every step after that costs
// nothing. A step that was published gives the same bytes again.
Result<StepAnswer> release_step(const SeriesStudy& study, query::Day day, const StepRequest& request = {});

// All steps that ended before this day and were not published yet, one after the other; each in a folder of its date
// within the request's.
Result<std::vector<StepAnswer>> release_due(const SeriesStudy& study, query::Day today,
                                            const StepRequest& request = {});

// Better values of past steps for people: running totals that never fall, nearest to the estimates, each within its
// interval. The interval stays what it is.
std::vector<double> never_falling(const std::vector<series::Number>& totals);

// Records of steps: files, folders of releases, and folders of such folders. None where there are no such records.
Result<std::optional<release::SeriesVerdict>> verify_series(const std::vector<std::filesystem::path>& places,
                                                            const std::optional<release::PublicKey>& expected);

}  // namespace vernier::study
