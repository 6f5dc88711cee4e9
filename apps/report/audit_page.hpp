#pragma once

#include <string>

#include "vernier/audit/finding.hpp"

namespace vernier::report {

// One page about an audit, for whoever has to file it: what was tried, how often, and what it would have caught.
std::string audit_page(const audit::Report& report, const std::string& date);

}  // namespace vernier::report
