#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/plan/plan.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/release/verify/verify.hpp"
#include "vernier/study/catalog.hpp"

// Answers as the texts that commands print, for other programs than this one: the JSON of --json, and what people read.
// Nothing is printed, and no signal is caught. Where there is a Progress it may stop the work.
namespace vernier::cli {

// `vernier catalog check`: what the catalog declares, or all its problems, which are no error here.
std::string catalog_json(const study::Text& catalog, const vernier::Spelling& spelling = plain_spelling);

// What a command prints that asks nothing of rows in memory, by its words, as in {"key", "--json"}.
Result<std::string> printed(const std::vector<std::string>& words);

// `vernier plan`, of plan_of() (plan/plan.hpp).
std::string plan_json(const PlanAnswer& answer);
std::string plan_text(const PlanAnswer& answer);  // for a person

// `vernier verify`. That a record does not hold is no error here: the JSON says so, and why.
std::string verdict_json(const release::Verdict& verdict);

// `vernier ledger show`, `history`, `export` and `verify`, which only read. A ledger that does not hold is an error.
// The path of a release is what sentences call it.
Result<std::string> ledger_show_json(const study::Text& catalog, const std::vector<std::int64_t>& within = {},
                                     const Progress& progress = nobody_watches);
Result<std::string> ledger_history_json(const study::Text& catalog, const std::optional<std::string>& analyst = {},
                                        std::optional<std::int64_t> last = {},
                                        const Progress& progress = nobody_watches);
Result<std::string> ledger_export(const study::Text& catalog, const std::string& format,  // jsonl or registry
                                  const Progress& progress = nobody_watches);
Result<std::string> ledger_verify_json(const study::Text& catalog, const std::vector<study::Text>& releases = {},
                                       const Progress& progress = nobody_watches);

}  // namespace vernier::cli
