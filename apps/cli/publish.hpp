#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/asked_study.hpp"
#include "cli/release_documents.hpp"
#include "vernier/core/result.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// Whether all data is there and has the declared columns; told before any budget is spent.
Result<void> check_sources(const AskedStudy& asked);

// Who asks, and the id by which the same request gets the same answer; either may be empty.
struct Asker {
  std::string analyst = {};
  std::string request = {};
};
Asker asker_of(const Arguments& arguments);
std::vector<Option> with_asker(std::vector<Option> options);  // --analyst and --request behind others

// Reserves the price of the plan, runs it on the embedded engine, adds noise and stores the documents, with a bar on a
// terminal. Ctrl-C stops it; the budget stays spent then.
Result<release::Answer> publish(const AskedStudy& asked, const plan::Plan& plan, const Asker& asker,
                                const MakeDocuments& make);

}  // namespace vernier::cli
