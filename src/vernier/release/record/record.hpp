#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/ledger/price.hpp"
#include "vernier/plan/description.hpp"
#include "vernier/release/record/release_json.hpp"

namespace vernier::ledger {
constexpr Accountant last_of(Accountant) { return Accountant::rdp; }
constexpr Manner last_of(Manner) { return Manner::divergence; }
constexpr Witnessed last_of(Witnessed) { return Witnessed::is_new; }
}  // namespace vernier::ledger

// What release.json says. One description of it (record.cpp) writes it, and reads it back for somebody who trusts
// nothing of it. certificate.md has its format.
namespace vernier::release {

// What the certificate's form is called: a reader refuses every other.
inline constexpr std::int64_t certificate_version = 2;

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
  ledger::Witnessed witnessed = ledger::Witnessed::remembered;
};

// As stated: no figure in it was checked against another. Of a record that was read, the plan has no SQL and no
// expressions but their texts; public cells are the keys of the rows, in their order.
struct Record {
  std::string id;
  std::string study;
  plan::Plan plan;
  std::vector<plan::EngineTexts> texts;  // one per statistic
  numeric::Rational alpha;
  std::vector<std::string> sql;                            // one per statistic
  std::vector<Table> tables;                               // likewise
  std::vector<std::optional<std::int64_t>> public_counts;  // likewise: the public number of rows that it rests on
  std::string catalog_hash;
  std::string plan_hash;
  ledger::Receipt receipt;
  std::string software;
  std::string engine;
  std::optional<engine::Snapshot> snapshot;
  std::vector<std::string> assumptions;
  std::vector<engine::PublicFile> public_files;
  std::vector<DocumentHash> documents;  // published beside it; no name twice
  StatedCharge charge;
  std::string public_key;
  std::string signature = {};
};

// An error, whose sentence names the place, for anything but a record as signed_release_json writes it: a key twice,
// unknown or missing, a figure outside of what can be, too much of anything. Never throws.
Result<Record> read_record(std::string_view text);

// One event as a certificate writes it.
std::string event_json(const accounting::Event& event);

// Of each column what it shows, in the order of aggregations.
std::vector<plan::Figure> figures_of(const plan::BoundStatistic& statistic);

}  // namespace vernier::release
