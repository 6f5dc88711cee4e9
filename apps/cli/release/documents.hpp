#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "cli/release/folder.hpp"
#include "cli/study/asked_study.hpp"
#include "vernier/release/record/release_json.hpp"

// The files of a release: what the ledger stores, and what is answered again.
namespace vernier::cli {

// What the record of a release says of the question.
release::Asked asked_of(const AskedStudy& asked);

// Puts release.json before the documents, signed and with the hash of each of them.
Result<void> add_record(ledger::Documents& documents, const AskedStudy& asked, const release::Release& release,
                        const release::SigningKey& key);

// What is made of a release: an answer on standard output needs no files for people to look at.
enum class Files : std::uint8_t { answer, all };

// release.json, signed; one CSV per statistic; among all files also its charts, results.parquet and report.html; and
// the text for a person. `balance` is what the ledger has left.
Result<ledger::Documents> documents_of(const AskedStudy& asked, const release::Release& release,
                                       const release::SigningKey& key, Files files, const ledger::Balance& balance);

// What is stored for a release, and answered.
using MakeDocuments = std::function<Result<ledger::Documents>(const AskedStudy&, const release::Release&,
                                                              const release::SigningKey&, const ledger::Balance&)>;
MakeDocuments make_documents(Files files);  // those above

// The text for a person, who is told where the answer was given before, or the document for a program.
void write_answer(Output& output, const release::Answer& answer, bool as_json,
                  std::string_view document = "release.json");

// All of them but the text for a person.
Result<void> write_documents(const ReleaseFolder& folder, const ledger::Documents& documents);

// Names of files for these names, each another, whatever letters they have: "Income by region" becomes
// income-by-region. Small Latin letters, digits and single dashes alone, at most 60 of them; never one that begins or
// ends with a dash.
std::vector<std::string> slugs_of(const std::vector<std::string>& names);

}  // namespace vernier::cli
