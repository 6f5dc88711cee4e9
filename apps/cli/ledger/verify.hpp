#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/study/asked_study.hpp"
#include "cli/study/published_release.hpp"
#include "vernier/core/progress.hpp"

namespace vernier::cli {

// Replays everything and holds it against the witness, the stored answers and these releases.
Result<void> write_ledger_verify(Output& output, const LocatedText& catalog, std::vector<PublishedRelease> releases,
                                 bool as_json, const Progress& progress);

Result<void> run_ledger_verify(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
