#pragma once

#include "vernier/audit/finding.hpp"
#include "vernier/audit/program.hpp"
#include "vernier/audit/timekeeper.hpp"

// What can happen to a ledger, tried on the program in folders of its own: nothing may be answered that was not paid
// for, and what was paid stays paid.
namespace vernier::audit {

Result<Section> audited_ledger(const Program& program, const Timekeeper& time);

}  // namespace vernier::audit
