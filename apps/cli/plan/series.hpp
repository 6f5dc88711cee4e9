#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/study/series.hpp"

// The plan of a study of series: for a person in a few lines, for programs and pictures every step.
namespace vernier::cli {

// Whether the words name a file of such a study.
bool names_series(const std::string& subject);

// What the series will cost, and what the ledger has left.
struct SeriesAnswer {
  study::SeriesStudy study;
  study::LedgerState ledger;
  study::SeriesStanding standing;
};
Result<SeriesAnswer> series_answer(study::SeriesStudy study, const std::string& analyst);

void write_series_json(Output& output, const SeriesAnswer& answer);
void write_series_report(Output& output, const SeriesAnswer& answer);
plot::Chart series_chart(const SeriesAnswer& answer);  // accuracy at every step

Result<void> run_series_plan(const Arguments& arguments, Output& output);

// How the ledger stands, as of other plans (report.cpp).
void write_ledger_state(JsonWriter& json, const study::LedgerState& ledger);
void write_ledger_report(Output& output, const study::LedgerState& ledger);

}  // namespace vernier::cli
