#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/random/source.hpp"

// The only place where exact numbers meet noise.
namespace vernier::release {

// A released number with its margin. Counts, and sums on a whole grid, are whole numbers.
struct Number {
  double value;
  double accuracy;
  interval::Interval interval;
  bool is_whole;
  interval::Status coverage;
  interval::Covers covers;
  bool informative = true;    // false: the interval is all that the bounds allow
  bool may_be_empty = false;  // of a mean: the group may have no row at all
};

struct Row {
  std::vector<query::Value> keys;  // in the order of the query's keys
  std::vector<Number> numbers;     // in the order of its aggregations
  // What they were made from, for whoever checks them: width_of integers with noise for each measurement. This is what
  // was paid for; numbers are made from it without the data.
  std::vector<std::int64_t> noisy = {};
};

// Rows in the declared order, or by the statement's ORDER BY.
struct Table {
  std::vector<Row> rows;
};

struct Release {
  std::string id;
  plan::Plan plan;
  std::vector<Table> tables;  // one per statistic of the plan
  ledger::Receipt receipt;
  std::string catalog_hash;
  std::string plan_hash;
  std::string engine;  // its name and version
};

struct Request {
  std::string study;  // what it is called in the ledger
  std::string catalog_hash;
  Progress progress = nobody_watches;
};

// Reserves the plan's price in the ledger, runs its statements, adds noise. Whatever happens after the reservation, the
// budget stays spent.
Result<Release> run(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger, random::Source& source,
                    const Request& request);

}  // namespace vernier::release
