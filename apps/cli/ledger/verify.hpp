#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/study/verify.hpp"

namespace vernier::cli {

// Replays everything and holds it against the witness, the stored answers and these releases.
Result<void> write_ledger_verify(Output& output, const study::Text& catalog,
                                 std::vector<study::PublishedRelease> releases, bool as_json, const Progress& progress);

Result<void> run_ledger_verify(const Arguments& arguments, Output& output);

}  // namespace vernier::cli
