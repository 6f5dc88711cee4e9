#include "vernier/study/series/standing.hpp"

#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/series/step_certificate.hpp"

namespace vernier::study {
namespace {

Failure changed(const std::string& ledger, const ledger::Entry& settled) {
  return Failure(ledger::does_not_hold(
      ledger, {ErrorKind::invalid,
               "the documents of entry " + std::to_string(settled.index) + " were changed after they were stored"}));
}

// What was stored for a release, as it was stored; none where nothing was.
Result<std::optional<ledger::Documents>> stored(ledger::Transaction& transaction, const std::string& ledger,
                                                const std::string& release) {
  VERNIER_TRY(const std::optional<ledger::Entry> settled, transaction.find_release(ledger::Kind::settle, release));
  if (!settled) return std::nullopt;
  VERNIER_TRY(ledger::Documents documents, transaction.documents(release));
  VERNIER_TRY(const std::string digest, ledger::digest_of(documents));
  if (digest != settled->content) return changed(ledger, *settled);
  return documents;
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
    VERNIER_TRY(auto documents, stored(transaction, ledger, continuation_of(*standing.reservation, place)));
    if (!documents) break;
    const ledger::Document* const text = ledger::document_named(*documents, release::record_name);
    if (text == nullptr) return invalid("a step of the series was stored without its record");
    VERNIER_TRY(release::StepRecord record, release::read_step_certificate(text->content));
    standing.records.push_back(std::move(record));
    standing.documents.push_back(*std::move(documents));
  }
  return standing;
}

}  // namespace

std::string reservation_of(const SeriesStudy& study) { return "series of " + study.name; }

std::string continuation_of(const ledger::Entry& reservation, std::int64_t place) {
  return reservation.release + "." + std::to_string(place + 1);
}

Result<SeriesStanding> series_standing(const SeriesStudy& study) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store, release::open_store(study.catalog, ledger::Missing::is_none));
  if (!store) return SeriesStanding();
  VERNIER_TRY(const std::unique_ptr<ledger::Transaction> transaction, store->begin(ledger::Access::read));
  return standing_in(*transaction, store->name(), study);
}

}  // namespace vernier::study
