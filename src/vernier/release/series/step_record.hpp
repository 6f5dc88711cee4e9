#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/plan/series/series_plan.hpp"
#include "vernier/release/record/record.hpp"
#include "vernier/release/verify/verify.hpp"

// What one step of a series publishes, and the record of it that a stranger can check. Records chain: each names the
// one before. step_record.md has the format.
namespace vernier::release {

// Noisy numbers of a series: of each step those of all cells. They are all that is ever drawn, and all that is
// published is made of them.
using NoisySteps = std::vector<std::vector<std::int64_t>>;

// What is published of a cell: by kind.
using CellNumbers = std::array<series::Number, 3>;

// The noisy cells of every series at every step so far, from all noisy numbers; of tables that are measured together
// times the square of how many cells they have.
struct NoisyCells {
  std::vector<std::vector<series::Wide>> steps = {};
  double parts = 1;  // what they were multiplied by
};

// Those of some steps more, behind those that are there: none at first.
void add_noisy_cells(std::vector<NoisyCells>& cells, const plan::SeriesPlan& plan,
                     const std::vector<NoisySteps>& noisy);

// Of all cells at a step, from the noisy cells of all steps up to it.
std::vector<CellNumbers> numbers_at(const plan::PlannedSeries& planned, const plan::SeriesFacts& facts,
                                    const NoisyCells& noisy, std::size_t step);

// The keys of a cell, the last column running fastest.
std::vector<query::Value> keys_of_cell(const plan::SeriesFacts& facts, std::size_t cell);

// What the whole series was charged, once.
struct SeriesCharge {
  ledger::Accountant accountant = ledger::Accountant::pure;
  numeric::Rational budget_epsilon = numeric::Rational::of(0), budget_delta = numeric::Rational::of(0);
  ledger::Manner manner = ledger::Manner::total;
  numeric::Rational epsilon = numeric::Rational::of(0), delta = numeric::Rational::of(0);
};

struct StepRecord {
  std::string id;  // of the series: that of its reservation
  std::string study;
  plan::SeriesPlanFacts plan;
  std::string plan_hash;
  std::int64_t step = 0;      // that is published
  std::int64_t first = 0;     // of those whose noise was drawn for it: earlier ones were skipped
  std::string previous = {};  // the hash of the record before; empty of the first
  std::vector<std::vector<CellNumbers>> numbers = {};  // of each series
  std::vector<std::array<double, 3>> accuracies = {};  // likewise, by kind
  std::vector<NoisySteps> noisy = {};                  // likewise, from `first` on
  ledger::Receipt receipt = {};                        // of the reservation
  SeriesCharge charge = {};
  std::string software = {};
  std::string engine = {};
  std::vector<std::string> assumptions = {};
  std::vector<DocumentHash> documents = {};
  std::string public_key = {};
  std::string signature = {};
};

// The record, signed.
Result<std::string> signed_step_record(StepRecord record, const SigningKey& key);

// Whether a text is one, and what it says. An error for anything but a record as the function above writes it.
bool is_step_record(std::string_view text);
Result<StepRecord> read_step_record(std::string_view text);

// What has to be true for guarantee and intervals; a function of the plan.
std::vector<std::string> assumptions_of(const plan::SeriesPlanFacts& facts);

// ---- checking

struct SeriesVerdict {
  std::vector<Check> checks = {};
  std::optional<std::string> first_problem = {};
  std::vector<StepRecord> records = {};  // by step
  std::optional<PublicKey> signer = {};

  bool holds() const { return !first_problem; }
};

// Whether each of these records is what it says, and whether they are one chain. Of a chain that begins with its first
// step every number is recomputed; else what needs no earlier step.
SeriesVerdict verify_steps(const std::vector<std::string>& texts, const std::optional<PublicKey>& expected);

}  // namespace vernier::release
