#pragma once

#include "cli/output.hpp"
#include "cli/study/asked_study.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// What the ledger took for it, and whom it protects: one line or more.
void write_took(Output& output, const release::Release& release);

// The release for a person: a table for each statistic, every number with its ±, labels of the catalog in place of
// codes, and what it cost.
void write_release_report(Output& output, const AskedStudy& asked, const release::Release& release);

}  // namespace vernier::cli
