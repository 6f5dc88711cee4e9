#pragma once

#include <functional>
#include <optional>
#include <string>

#include "vernier/core/json_writer.hpp"
#include "vernier/query/study.hpp"
#include "vernier/study/plan.hpp"

// What a page shows of any plan: texts that are rounded toward safety here, since a browser rounds to nearest.
namespace vernier::server {

std::string percent_text(double share);

// What of a budget that is stated this does not need, rounded down; empty where that is next to nothing.
std::string left_of_budget(const query::StudyBudget& budget, double epsilon);

// "budget": {"epsilon", "delta", "unspent"}; empty texts where none is stated.
void write_budget(JsonWriter& json, const std::optional<query::StudyBudget>& budget, const std::string& unspent);

// "ledger": [{"name", "allowed", "left", "price", "once", "after"}].
void write_amounts(JsonWriter& json, const study::LedgerState& ledger);

// What a plan costs in all, and what the catalog may ever spend.
struct Spent {
  double epsilon;
  double delta;
  const query::Budget& catalog;
};

// Behind what the command line prints, the same bytes: the study's text, the hash of its plan, the odds, and what
// `shown` writes into an object.
std::string with_page(std::string plan_text, const std::string& study_text, const std::string& hash, const Spent& spent,
                      const std::function<void(JsonWriter&)>& shown);

}  // namespace vernier::server
