#pragma once

#include <string>

#include "vernier/audit/finding.hpp"
#include "vernier/ledger/price.hpp"
#include "vernier/release/record/release_json.hpp"

// The page of a release for people: published facts alone, in one file that asks nobody for anything.
namespace vernier::report {

struct Facts {
  const release::Release& release;
  const release::Asked& asked;
  ledger::Balance balance;  // of the whole budget, once this release was paid
};

// One HTML document: no scripts, nothing loaded from elsewhere, every name and value as text. An error where the terms
// of the ledger have no rules.
Result<std::string> page(const Facts& facts);

// One page about an audit, for whoever has to file it: what was tried, how often, and what it would have caught.
std::string audit_page(const audit::Report& report, const std::string& date);

}  // namespace vernier::report
