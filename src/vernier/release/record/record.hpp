#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/ledger/price.hpp"
#include "vernier/release/record/release_json.hpp"

// What release.json says, read by somebody who trusts nothing of it. certificate.md has its format.
namespace vernier::release {

// What was paid once for the conversion, of a charge.
struct StatedOpening {
  numeric::Rational epsilon;
  numeric::Rational delta;
  ledger::Room room;  // as the ledger stood then: nobody else can tell
};

struct StatedCharge {
  ledger::Terms terms;
  ledger::Manner manner;
  numeric::Rational epsilon;
  numeric::Rational delta;
  std::string theorem;
  std::optional<StatedOpening> opening = {};  // none: nothing, or a record of an earlier version
};

// As stated: no figure in it was checked against another. Its plan has no SQL, arguments and tallies; public cells are
// the keys of the rows, in their order.
struct Record {
  std::string id;
  std::string study;
  std::string unit;
  plan::Plan plan;
  numeric::Rational alpha;
  std::vector<std::string> sql;                             // one per statistic
  std::vector<Table> tables;                                // likewise
  std::vector<std::vector<double>> confidences;             // likewise: of every number, row by row
  std::vector<std::vector<double>> difference_confidences;  // likewise, of differences
  std::vector<std::vector<plan::Steps>> steps;  // likewise: of the values that a measurement adds up, where it is a sum
  std::vector<std::optional<std::int64_t>> public_counts;  // likewise: the public number of rows that it rests on
  std::string catalog_hash;
  std::string plan_hash;
  ledger::Receipt receipt;
  std::string software;
  std::string engine;
  std::vector<std::string> assumptions;
  std::vector<engine::PublicFile> public_files;
  std::vector<DocumentHash> documents;  // published beside it; no name twice
  accounting::Method conversion_method;
  double conversion_delta;
  StatedCharge charge;
  std::string plan_text;
  std::string public_key;
  std::string signature;
};

// An error, whose sentence names the place, for anything but a record as signed_release_json writes it: a key twice,
// unknown or missing, a figure outside of what can be, too much of anything. Never throws.
Result<Record> read_record(std::string_view text);

}  // namespace vernier::release
