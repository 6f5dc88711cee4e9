#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/release/documents.hpp"
#include "cli/study/asked_study.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/table.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// What a program brings to a release: rows of tables with format = "arrow", and who watches it and may stop it.
struct Supply {
  engine::MemoryTables memory = {};
  Progress progress = nobody_watches;
};

// Whether all data is there and has the declared columns; told before any budget is spent.
Result<void> check_sources(const AskedStudy& asked, const engine::MemoryTables& memory = {});

// Who asks, and the id by which the same request gets the same answer; either may be empty.
struct Asker {
  std::string analyst = {};
  std::string request = {};
};
Asker asker_of(const Arguments& arguments);
std::vector<Option> with_asker(std::vector<Option> options);  // --analyst and --request behind others

// Reserves the price of the plan, runs it on the embedded engine, adds noise and stores the documents. Where the
// progress says no it stops; the budget stays spent then, unless it had not begun.
Result<release::Answer> publish(const AskedStudy& asked, const plan::Plan& plan, const Asker& asker,
                                const MakeDocuments& make, const Supply& supply);

// The same from files, with a bar on a terminal; Ctrl-C stops it.
Result<release::Answer> publish(const AskedStudy& asked, const plan::Plan& plan, const Asker& asker,
                                const MakeDocuments& make);

}  // namespace vernier::cli
