#pragma once

#include "cli/output.hpp"
#include "vernier/query/expression.hpp"

namespace vernier::cli {

// What the catalog declares, for a person: the budget, and of each table its unit and its columns.
void write_report(Output& output, const query::Catalog& catalog);

// The least and the greatest value of a bounded number or date; none of anything else.
std::optional<query::Range> told_range(const query::Expression& x);

// Where the ledger lies, as the catalog says it; of an address never the password.
std::string told_ledger(const query::Budget& budget);

}  // namespace vernier::cli
