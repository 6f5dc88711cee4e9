#pragma once

#include "cli/output.hpp"
#include "vernier/release/release.hpp"
#include "vernier/study/study.hpp"

namespace vernier::cli {

// What the ledger took for it, and whom it protects: one line or more.
void write_took(Output& output, const release::Release& release);

// The release for a person: a table for each statistic, every number with its ±, labels of the catalog in place of
// codes, and what it cost.
void write_release_report(Output& output, const study::Study& study, const release::Release& release);

}  // namespace vernier::cli
