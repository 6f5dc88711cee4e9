#pragma once

#include <string>

#include "cli/asked_study.hpp"
#include "vernier/core/result.hpp"
#include "vernier/release/release.hpp"

namespace vernier::cli {

// Whether all data is there and has the declared columns; told before any budget is spent.
Result<void> check_sources(const AskedStudy& asked);

// Reserves the price of the plan, runs it on the embedded engine, and adds noise, with a bar on a terminal. Ctrl-C
// stops it; the budget stays spent then.
Result<release::Release> publish(const AskedStudy& asked, const plan::Plan& plan);

}  // namespace vernier::cli
