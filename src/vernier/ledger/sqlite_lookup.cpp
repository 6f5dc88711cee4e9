#include "vernier/ledger/sqlite_lookup.hpp"

#include "vernier/ledger/row_texts.hpp"
#include "vernier/ledger/sqlite_rows.hpp"

namespace vernier::ledger::sqlite {
namespace {

Failure repeated(std::int64_t index, std::int64_t former) {
  return invalid("entry " + std::to_string(index) + " has the release or the request of entry " +
                 std::to_string(former) + " once more");
}

}  // namespace

Result<void> Lookup::learn_up_to(std::int64_t index) {
  if (index <= session_.keys.last()) return {};
  const Use use(session_.statements.keys);
  use->bind(0, session_.keys.last());
  while (true) {
    VERNIER_TRY(const bool row, session_.connection.step(*use));
    if (!row) return {};
    const std::optional<Kind> kind = kind_named(use->text(1));
    if (!kind || use->number(0) != session_.keys.last() + 1) return failure(ledger(), SQLITE_CORRUPT);
    const Names names{*kind, use->text(2), use->text(3)};
    if (Result<void> learnt = learn_next(use->number(0), names, session_.keys.pair_of(names)); !learnt) return learnt;
  }
}

Result<void> Lookup::learn_next(std::int64_t index, const Names& names, const Keys::Pair& pair) {
  if (index != session_.keys.last() + 1) return {};
  VERNIER_TRY(const std::optional<Entry> twin, twin_of(names, pair));
  if (twin) return repeated(index, twin->index);
  session_.keys.add(index, pair);
  return {};
}

Result<std::optional<Entry>> Lookup::entry_at(std::int64_t index) {
  const Use use(session_.statements.entry);
  use->bind(0, index);
  VERNIER_TRY(const bool row, session_.connection.step(*use));
  if (!row) return std::optional<Entry>();
  Entry entry;
  VERNIER_TRY(read_entry(*use, ledger(), entry));
  return entry;
}

// The first of the candidates that is it.
template <class IsIt>
Result<std::optional<Entry>> Lookup::confirmed(Keys::Search search, const IsIt& is_it) {
  while (const std::int64_t index = search.next()) {
    Result<std::optional<Entry>> entry = entry_at(index);
    if (!entry || (*entry && is_it(**entry))) return entry;
  }
  return std::optional<Entry>();
}

Result<std::optional<Entry>> Lookup::released(Keys::Search search, Kind kind, std::string_view release) {
  return confirmed(search, [&](const Entry& entry) { return entry.kind == kind && entry.release == release; });
}

Result<std::optional<Entry>> Lookup::requested(Keys::Search search, std::string_view request) {
  return confirmed(search, [&](const Entry& entry) { return entry.kind == Kind::reserve && entry.request == request; });
}

Result<std::optional<Entry>> Lookup::by_release(Kind kind, std::string_view release) {
  return released(session_.keys.of_release(kind, release), kind, release);
}

Result<std::optional<Entry>> Lookup::by_request(std::string_view request) {
  return requested(session_.keys.of_request(request), request);
}

Result<std::optional<Entry>> Lookup::twin_of(const Names& names, const Keys::Pair& pair) {
  Result<std::optional<Entry>> twin = released(session_.keys.of(pair.release), names.kind, names.release);
  if (!twin || *twin || names.kind != Kind::reserve) return twin;
  return requested(session_.keys.of(pair.request), names.request);
}

}  // namespace vernier::ledger::sqlite
