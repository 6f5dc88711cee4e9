#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "vernier/core/result.hpp"
#include "vernier/study/catalog.hpp"
#include "vernier/study/release.hpp"
#include "vernier/study/study.hpp"

// The options of commands that ask something of a catalog.
namespace vernier::cli {

study::CatalogRule catalog_rule(const Arguments& arguments);  // of --catalog and --catalogs

// --catalogs behind others; of what runs a study --catalog, too.
std::vector<Option> with_catalogs(std::vector<Option> options);
std::vector<Option> with_study_catalog(std::vector<Option> options);

// Who asks, by --analyst and --request, and what is made.
study::Request request_of(const Arguments& arguments, study::MakeDocuments documents);
std::vector<Option> with_asker(std::vector<Option> options);  // both behind others

// Says on a terminal what is cut off of units with several rows, where nobody has said how many count: before
// anything is spent. `advice` is what to write instead.
void tell_assumed_limits(const study::Study& study, const std::string& advice);

// Releases a plan with a bar on a terminal; Ctrl-C ends it in order: no part of a folder is left, and what is paid for
// is written.
Result<study::Answer> release_watched(const study::Plan& plan, study::Request request);

// What --epsilon, --accuracy and the other options of `vernier query` say of a statement that was parsed.
Result<study::Question> question_of(const Arguments& arguments, query::Query query, const std::string& sql);

// The options of one statement behind others: what it may cost, and what counts.
std::vector<Option> with_statement(std::vector<Option> options);

// Whether the words are a statement, and not the name of a file.
bool is_statement(const std::string& words);

// Says what of the statement is read and changes nothing here.
void tell_without_effect(const std::string& sql);

// The statement, asked of the catalog of --catalog, which is read once; `command` is what sentences call it.
Result<study::Study> asked_statement(const Arguments& arguments, const std::string& command);

}  // namespace vernier::cli
