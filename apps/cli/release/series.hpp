#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/study/series.hpp"

// Steps of a study of series, released.
namespace vernier::cli {

Result<void> run_series_release(const Arguments& arguments, Output& output);

// CSV, the page with charts, and the text for a person.
Result<ledger::Documents> step_documents(const study::PublishedStep& published);

}  // namespace vernier::cli
