#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/random/source.hpp"
#include "vernier/release/ledger/table_marks.hpp"
#include "vernier/table/contrast.hpp"

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
  // What is made of it and of the other numbers of its column, where the study asks: a value within the interval; or,
  // of numbers that are made to add up, one with an interval of its own.
  std::optional<double> denoised = {};
  std::optional<interval::Interval> denoised_interval = {};
};

struct Row {
  std::vector<query::Value> keys;  // in the order of the query's keys
  std::vector<Number> numbers;     // in the order of its aggregations
  // What they were made from, for whoever checks them: all integers with noise of every measurement. This is what
  // was paid for; numbers are made from it without the data.
  std::vector<std::int64_t> noisy = {};
  std::vector<Number> derived = {};  // in the order of the query's formulas (derived/formula.hpp)

  const Number& number(const query::Output& output) const {
    return output.is_formula ? derived[output.place] : numbers[output.place];
  }
};

// How a column was denoised.
struct DenoisedColumn {
  std::size_t aggregation;
  std::string used;           // a name of denoise::Method, or "least-squares" of numbers that add up
  double risk;                // the expected squared error of its numbers over that of the published ones, as estimated
  interval::Status coverage;  // of intervals that belong to denoised values; proven where there are none
};

// The numbers of the first group less those of the second, in the order of the query's aggregations.
struct GroupDifference {
  query::Difference groups;
  std::vector<Number> numbers;
};

// Rows in the declared order, or by the statement's ORDER BY; and what is made of their numbers (derived.hpp).
struct Table {
  std::vector<Row> rows;
  std::vector<DenoisedColumn> denoised = {};
  std::vector<GroupDifference> differences = {};  // of groups that were both published
  // So many of the last rows the statement leaves out, by HAVING, LIMIT or OFFSET. They were paid for, and the record
  // has them, so that the choice can be checked.
  std::size_t omitted = 0;

  std::size_t shown() const { return rows.size() - omitted; }
};

struct Release {
  std::string id;
  plan::Plan plan;
  std::vector<Table> tables;  // one per statistic of the plan
  ledger::Receipt receipt;
  ledger::Terms terms;                                          // of the ledger
  ledger::Offer taken;                                          // from it
  ledger::Witnessed witnessed = ledger::Witnessed::remembered;  // whether an older copy of it had been noticed
  std::string catalog_hash;
  std::string plan_hash;
  std::string engine;                                 // its name and version
  std::optional<engine::Snapshot> snapshot = {};      // of a server, whose tables others may write
  std::vector<engine::PublicFile> public_files = {};  // of the public tables that were joined
  std::vector<table::Noisy> contrasts = {};           // one per [[table]]: what was paid for, and all is made of
};

struct Request {
  std::string study;  // what it is called in the ledger
  std::string catalog_hash;
  Progress progress = nobody_watches;
  std::string analyst = {};  // who asks; one of the shares, where the ledger has any
  std::string request = {};  // an id of the asker's own: the same id gets the same answer, charged once
  TableMarks marks = {};     // of the tables that are closed; unless given they are remembered nowhere
};

// Reserves the plan's price in the ledger, runs its statements, adds noise. Whatever happens after the reservation, the
// budget stays spent. Where the engine fails then, the tables of the plan are closed. What it returns is not to be
// answered before it is stored: `publish` does both.
Result<Release> run(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger, random::Source& source,
                    const Request& request);

// The files of a release, as they are stored and answered.
using Write = std::function<Result<ledger::Documents>(const Release&)>;

struct Answer {
  ledger::Receipt receipt;  // of the reservation
  ledger::Documents documents;
  bool is_repeated;  // stored before: this is the same request once more, and nothing was charged
};

// Runs the plan, stores what `write` makes of the release, and only then answers. A request that was answered before
// gets the bytes that were stored; one that was paid for and has no answer is told so, and is not run again for free.
Result<Answer> publish(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger, random::Source& source,
                       const Request& request, const Write& write);

}  // namespace vernier::release
