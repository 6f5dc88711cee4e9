#pragma once

#include <string_view>

#include "cli/output.hpp"
#include "vernier/release/release.hpp"
#include "vernier/study/release.hpp"
#include "vernier/study/study.hpp"

namespace vernier::cli {

// What the ledger took for it, and whom it protects: one line or more.
void write_took(Output& output, const release::Release& release);

// The release for a person: a table for each statistic, every number with its ±, labels of the catalog in place of
// codes, and what it cost.
void write_release_report(Output& output, const study::Study& study, const release::Release& release);

// The files of a release that people look at, beside those that the library makes.
// What is made of a release beside release.json.
struct Files {
  bool csv = false;      // one per statistic
  bool charts = false;   // as SVG
  bool page = false;     // report.html
  bool parquet = false;  // results.parquet
  bool text = false;     // for a person, who is told what could not be made

  static Files answer() { return {.csv = true, .text = true}; }  // on standard output nobody looks at files
  static Files all() { return {true, true, true, true, true}; }
};
study::MakeDocuments documents_beside(Files files);
Result<ledger::Documents> made_of(const study::Published& published, Files files);

// The text for a person, who is told where the answer was given before, or the document for a program.
void write_answer(Output& output, const study::Answer& answer, bool as_json,
                  std::string_view document = "release.json");

}  // namespace vernier::cli
