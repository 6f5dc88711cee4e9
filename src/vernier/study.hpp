#pragma once

// The front door: from a catalog and a study to numbers that a stranger can verify. Command line, Python and every
// other program come in here; what precedes a spend is decided behind it and nowhere else.
//
//   using namespace vernier;
//   VERNIER_TRY(const Study study, Study::read("study.toml"));     // with its catalog and statements; no data
//   VERNIER_TRY(const Plan plan, study.plan());                    // what it costs and how accurate it is; no data
//   plan.ledger("anna")->is_affordable;                            // whether the budget has room for it
//   VERNIER_TRY(const Answer answer, plan.release({.analyst = "anna", .folder = "published"}));
//   answer.record()->tables[0].rows[0].numbers[0].interval;        // numbers with their intervals
//   VERNIER_TRY(const release::Verdict verdict, study::verify("published", std::nullopt));
//   verdict.holds();
//
// Link to vernier::study. Every function that can fail returns a Result: a value, or an Error with one sentence.

#include "vernier/study/bounds.hpp"     // bounds of a column, found privately
#include "vernier/study/catalog.hpp"    // what a steward declares, and which catalogs count
#include "vernier/study/documents.hpp"  // CSV and Parquet
#include "vernier/study/files.hpp"      // folders that appear whole or not at all
#include "vernier/study/ledger.hpp"     // what was spent, by whom and on what, and what is left
#include "vernier/study/plan.hpp"       // what a study will cost, and its release
#include "vernier/study/release.hpp"    // what a release takes and gives
#include "vernier/study/study.hpp"      // what an analyst asks
#include "vernier/study/verify.hpp"     // whether what was published is what it says

namespace vernier {

using study::Answer;
using study::Catalog;
using study::Plan;
using study::Study;

}  // namespace vernier
