#include "vernier/ledger/ledger_parts.hpp"

#include <exception>
#include <utility>

#include "vernier/core/hash.hpp"

namespace vernier::ledger {
namespace {

bool has_seen_nothing(const std::optional<Witness>& witness, const Book& book) {
  return witness && !witness->memory() && !book.spent_by().empty();
}

Receipt receipt_of(const Entry& entry) { return {entry.index, entry.hash}; }

Failure other_request(const Entry& reserved) {
  return invalid("the request '" + reserved.request +
                     "' was made before for another plan, analyst, catalog or source of data, as entry " +
                     std::to_string(reserved.index),
                 "choose another id for a new request");
}

Failure unknown_release(const std::string& release) {
  return invalid("the release '" + release + "' was not reserved", "reserve it before it is run");
}

Failure settled_otherwise(const Entry& settled) {
  return invalid("the release '" + settled.release + "' was answered before with other documents, as entry " +
                     std::to_string(settled.index),
                 "an answer stays as it is");
}

}  // namespace

Ledger::Parts::Parts(std::unique_ptr<Store> store, Book book, std::optional<Witness> witness, Clock clock)
    : store_(std::move(store)),
      rules_(book.rules()),
      book_(std::move(book)),
      witness_(std::move(witness)),
      is_witness_new_(has_seen_nothing(witness_, book_)),
      clock_(std::move(clock)),
      group_([this](std::span<const Job* const> jobs) { return together(jobs); }) {}

Book Ledger::Parts::book() const {
  const std::scoped_lock lock(mutex_);
  return book_;
}

// Exceptions are those of the memory; whatever they interrupted, the ledger is closed.
Result<void> Ledger::Parts::together(std::span<const Job* const> jobs) {
  const std::scoped_lock lock(mutex_);
  if (closed_) {
    return fail(ErrorKind::system,
                "the ledger '" + name() +
                    "' failed before, and takes nothing until it is opened again: " + closed_->sentence());
  }
  try {
    return transact(jobs);
  } catch (const std::exception&) {
    closed_ = Error{ErrorKind::system, "out of memory"};  // so short that it needs none
    return Failure(*closed_);
  }
}

Result<void> Ledger::Parts::transact(std::span<const Job* const> jobs) {
  VERNIER_TRY(std::unique_ptr<Transaction> transaction, store_->begin(Access::write));
  Result<void> done = transact_in(*transaction, jobs);
  if (!done) closed_ = done.error();
  return done;
}

Result<void> Ledger::Parts::transact_in(Transaction& transaction, std::span<const Job* const> jobs) {
  if (Result<void> seen = catch_up(transaction); !seen) return seen;
  bool wrote = false;
  for (const Job* job : jobs) {
    VERNIER_TRY(const bool one, (*job)(transaction));
    wrote = wrote || one;
  }
  if (!wrote) return {};
  return transaction.commit().and_then([&] { return remember(); });
}

// Takes what others have written since.
Result<void> Ledger::Parts::catch_up(Transaction& transaction) {
  VERNIER_TRY(const std::optional<Tally> tally, transaction.tally());
  const auto is_level = [&] {
    return tally && tally->position == book_.position() && tally->left == book_.balance().left;
  };
  if (is_level()) return {};
  const auto take = [&](const Entry& entry) { return book_.take(entry); };
  const Result<void> taken = transaction.visit_after(book_.position().index, take);
  if (!taken) return Failure(does_not_hold(name(), taken.error()));
  if (is_level()) return {};
  return Failure(does_not_hold(name(), {ErrorKind::invalid, "it is not as this process last saw it"}));
}

Result<void> Ledger::Parts::remember() {
  if (!witness_) return {};
  reached_.ledger = book_.id();
  reached_.position = book_.position();
  return witness_->remember(reached_);
}

// As the next entry; the rest of its fields is given.
Result<void> Ledger::Parts::write(Transaction& transaction, Entry& entry) {
  entry.time = clock_();
  if (Result<void> written = book_.write(entry); !written) return written;
  return transaction.append(entry);
}

Result<Decision<Reservation>> Ledger::Parts::decide_reserve(Transaction& transaction, const Spend& spend,
                                                            Entry& draft) {
  if (!spend.request.empty()) {
    VERNIER_TRY(const std::optional<Entry> reserved, transaction.find_request(spend.request));
    if (reserved) return Decision<Reservation>{standing_of(transaction, *reserved, spend), false};
  }
  const Result<Offer> offer = book_.offer(spend);
  if (!offer) return Decision<Reservation>{Failure(offer.error()), false};
  draft.manner = offer->manner;
  draft.cost = offer->cost;
  VERNIER_TRY(write(transaction, draft));
  return Decision<Reservation>{Granted{receipt_of(draft), *offer, is_witness_new_}, true};
}

// What became of a request that was made before.
Result<Reservation> Ledger::Parts::standing_of(Transaction& transaction, const Entry& reserved, const Spend& spend) {
  if (reserved.plan != spend.plan || reserved.analyst != spend.analyst) return other_request(reserved);
  VERNIER_TRY(const std::optional<Entry> settled, transaction.find_release(Kind::settle, reserved.release));
  if (!settled) return Unanswered{receipt_of(reserved)};
  VERNIER_TRY(Documents documents, transaction.documents(reserved.release));
  VERNIER_TRY(const std::string digest, digest_of(documents));
  if (digest == settled->content) return Answered{receipt_of(reserved), std::move(documents)};
  const std::string entry = std::to_string(settled->index);
  return Failure(does_not_hold(
      name(), {ErrorKind::invalid, "the documents of entry " + entry + " were changed after they were stored"}));
}

Result<Decision<Receipt>> Ledger::Parts::decide_settle(Transaction& transaction, const std::string& release,
                                                       const Documents& documents) {
  VERNIER_TRY(const std::string digest, digest_of(documents));
  const auto reserved = transaction.find_release(Kind::reserve, release);
  const auto settled = transaction.find_release(Kind::settle, release);
  if (!reserved) return Failure(reserved.error());
  if (!settled) return Failure(settled.error());
  if (!*reserved) return Decision<Receipt>{unknown_release(release), false};
  if (*settled && (*settled)->content != digest) return Decision<Receipt>{settled_otherwise(**settled), false};
  if (*settled) return Decision<Receipt>{receipt_of(**settled), false};
  VERNIER_TRY(transaction.keep(release, documents));
  Entry entry{.kind = Kind::settle, .release = release, .content = digest};
  VERNIER_TRY(write(transaction, entry));
  return Decision<Receipt>{receipt_of(entry), true};
}

}  // namespace vernier::ledger
