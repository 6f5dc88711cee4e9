#pragma once

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "cli/release/documents.hpp"
#include "cli/study/asked_study.hpp"
#include "cli/study/publish.hpp"
#include "vernier/core/result.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// `vernier release`: runs a study and publishes it into a folder.
Usage release_usage();
Result<void> run_release(const Arguments& arguments, Output& output);

// Checks the data, plans, runs, and writes release.json and one CSV per statistic into the new folder. Whatever can
// fail without data fails before budget is spent.
Result<release::Answer> release_into(const std::string& place, const AskedStudy& asked, const Asker& asker,
                                     const MakeDocuments& make, const Supply& supply);

// The same from files, with a bar on a terminal; Ctrl-C stops it.
Result<release::Answer> release_into(const std::string& place, const AskedStudy& asked, const Asker& asker,
                                     const MakeDocuments& make = make_documents(Files::all));

}  // namespace vernier::cli
