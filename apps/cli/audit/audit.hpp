#pragma once

#include <cstdint>
#include <string>

#include "cli/output.hpp"
#include "vernier/audit/finding.hpp"

namespace vernier::cli {

// For a terminal, and for programs; `seconds` since 1970.
void write_audit_text(Output& output, const audit::Report& report, std::int64_t seconds);
void write_audit_json(Output& output, const audit::Report& report, std::int64_t seconds);

// What is wrong, in one sentence, where something was refuted or could not be seen.
std::string audit_sentence(const audit::Report& report);

}  // namespace vernier::cli
