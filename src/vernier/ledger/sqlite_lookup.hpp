#pragma once

#include <optional>

#include "vernier/ledger/sqlite_session.hpp"

namespace vernier::ledger::sqlite {

// Finds entries by what names them, inside of a transaction: the keys of the session tell where they may lie, their
// rows whether they do. Only entries whose keys were learnt are found.
class Lookup {
 public:
  explicit Lookup(Session& session) : session_(session) {}

  // Takes the keys of all entries up to this one that are not known yet, mostly those that other processes wrote. An
  // error (invalid, as the visits of a store have it) where an entry has the release or the request of a former one.
  Result<void> learn_up_to(std::int64_t index);
  // Nothing where it is known, or not the next.
  Result<void> learn_next(std::int64_t index, const Names& names, const Keys::Pair& pair);

  Result<std::optional<Entry>> by_release(Kind kind, std::string_view release);
  Result<std::optional<Entry>> by_request(std::string_view request);

  // An entry of the same kind with this release, or another reserve with this request.
  Result<std::optional<Entry>> twin_of(const Names& names, const Keys::Pair& pair);

 private:
  Result<std::optional<Entry>> entry_at(std::int64_t index);
  Result<std::optional<Entry>> released(Keys::Search search, Kind kind, std::string_view release);
  Result<std::optional<Entry>> requested(Keys::Search search, std::string_view request);
  template <class IsIt>
  Result<std::optional<Entry>> confirmed(Keys::Search search, const IsIt& is_it);
  const std::string& ledger() const { return session_.connection.ledger(); }

  Session& session_;
};

}  // namespace vernier::ledger::sqlite
