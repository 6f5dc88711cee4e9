#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/coverage/coverage.hpp"
#include "cli/plan/plan.hpp"
#include "cli/release/documents.hpp"
#include "cli/release/release.hpp"
#include "cli/study/asked_study.hpp"
#include "cli/study/publish.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/release/verify/verify.hpp"

// The commands for a program: what it has in memory goes in, and answers come out as values, or as the JSON text that
// the command prints with --json. Nothing is printed, no signal is caught, and no file is read or written but those
// that a catalog names. Where there is a Progress it may stop the work. Studies are made with ask() (asked_study.hpp).
namespace vernier::cli {

// `vernier catalog check`: what the catalog declares, or all its problems, which are no error here.
std::string catalog_json(const LocatedText& catalog);

// `vernier plan`, of plan_of() (plan_answer.hpp).
std::string plan_json(const PlanAnswer& answer);
std::string plan_text(const PlanAnswer& answer);  // for a person

// `vernier release` without a folder: the documents of the answer, release.json among them. release_into()
// (release.hpp) writes them into a new one.
Result<release::Answer> release_of(const AskedStudy& asked, const Asker& asker, const Supply& supply,
                                   const MakeDocuments& make = make_documents(Files::all));

// `vernier verify`: whether the record holds, byte by byte as it was published. That it does not is no error here: the
// JSON says so, and why.
Result<release::Verdict> verdict_on(const std::string& record, const std::optional<std::string>& public_key_pem = {});
Result<release::Verdict> verdict_on_folder(const std::filesystem::path& folder,
                                           const std::optional<std::string>& public_key_pem = {});  // and of its files
std::string verdict_json(const release::Verdict& verdict);

// `vernier ledger show`, `history` and `verify`, which only read. A ledger that does not hold is an error. The path of
// a release is what sentences call it.
Result<std::string> ledger_show_json(const LocatedText& catalog, const std::vector<std::int64_t>& within = {},
                                     const Progress& progress = nobody_watches);
Result<std::string> ledger_history_json(const LocatedText& catalog, const std::optional<std::string>& analyst = {},
                                        std::optional<std::int64_t> last = {},
                                        const Progress& progress = nobody_watches);
Result<std::string> ledger_verify_json(const LocatedText& catalog, const std::vector<LocatedText>& releases = {},
                                       const Progress& progress = nobody_watches);

}  // namespace vernier::cli
