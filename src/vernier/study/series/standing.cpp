#include "vernier/study/series/standing.hpp"

#include <algorithm>

#include "vernier/core/hash.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/series/measured.hpp"

namespace vernier::study {
namespace {

Failure changed(ledger::Transaction& transaction, const std::string& ledger, const std::string& release) {
  const auto settled = transaction.find_release(ledger::Kind::settle, release);
  const std::string index = settled && *settled ? std::to_string((*settled)->index) : "of the step " + release;
  return Failure(ledger::does_not_hold(
      ledger, {ErrorKind::invalid, "the documents of entry " + index + " were changed after they were stored"}));
}

// What was stored for a release, as it was stored.
Result<ledger::Documents> stored(ledger::Transaction& transaction, const std::string& ledger,
                                 const std::string& release) {
  VERNIER_TRY(const std::optional<ledger::Entry> settled, transaction.find_release(ledger::Kind::settle, release));
  VERNIER_TRY(ledger::Documents documents, transaction.documents(release));
  VERNIER_TRY(const std::string digest, ledger::digest_of(documents));
  if (!settled || digest != settled->content) return changed(transaction, ledger, release);
  return documents;
}

// The last step vouches for those before it, and the ledger's own chain of hashes for the last.
Result<void> check_last(ledger::Transaction& transaction, const std::string& ledger, const SeriesStanding& standing) {
  if (standing.steps.empty()) return {};
  const auto place = static_cast<std::int64_t>(standing.steps.size()) - 1;
  VERNIER_TRY(stored(transaction, ledger, continuation_of(*standing.reservation, place)));
  return {};
}

Failure other_plan(const SeriesStudy& study, const ledger::Entry& entry) {
  return invalid("the series of the study '" + study.name + "' were reserved as entry " + std::to_string(entry.index) +
                     " of the ledger by another plan: steps, limits, targets, keys or sources have changed since",
                 "bring the study and the catalog back as they were, or give the changed study a file of another name, "
                 "which begins new series at a charge of their own");
}

Result<SeriesStanding> standing_in(ledger::Transaction& transaction, const std::string& ledger,
                                   const SeriesStudy& study) {
  SeriesStanding standing;
  VERNIER_TRY(standing.reservation, transaction.find_request(reservation_of(study)));
  if (!standing.reservation) return standing;
  if (standing.reservation->plan != study.plan_hash) return other_plan(study, *standing.reservation);
  for (std::int64_t place = 0; place < study.calendar().steps(); ++place) {
    const std::string name = continuation_of(*standing.reservation, place);
    VERNIER_TRY(const auto text, transaction.document(name, std::string(measured_name)));
    if (!text) break;
    VERNIER_TRY(StandingStep step, read_measured(*text));
    if (step.before != standing.last) {
      const std::int64_t before = std::max<std::int64_t>(place - 1, 0);
      return changed(transaction, ledger, continuation_of(*standing.reservation, before));
    }
    VERNIER_TRY(standing.last, sha256(*text));
    standing.steps.push_back(std::move(step));
  }
  VERNIER_TRY(check_last(transaction, ledger, standing));
  return standing;
}

}  // namespace

std::string reservation_of(const SeriesStudy& study) { return "series of " + study.name; }

std::string continuation_of(const ledger::Entry& reservation, std::int64_t place) {
  return reservation.release + "." + std::to_string(place + 1);
}

Result<ledger::Documents> stored_step(const SeriesStudy& study, const ledger::Entry& reservation, std::int64_t place) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store,
              release::open_store(study.catalog, ledger::Missing::is_error));
  VERNIER_TRY(const std::unique_ptr<ledger::Transaction> transaction, store->begin(ledger::Access::read));
  return stored(*transaction, store->name(), continuation_of(reservation, place)).map(shown);
}

Result<SeriesStanding> series_standing(const SeriesStudy& study) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store, release::open_store(study.catalog, ledger::Missing::is_none));
  if (!store) return SeriesStanding();
  VERNIER_TRY(const std::unique_ptr<ledger::Transaction> transaction, store->begin(ledger::Access::read));
  return standing_in(*transaction, store->name(), study);
}

}  // namespace vernier::study
