#include <array>
#include <new>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/ledger/ledger_parts.hpp"
#include "vernier/ledger/store.hpp"
#include "vernier/random/entropy.hpp"

// Opening: all of a ledger is replayed, or it is begun; then its shares are brought up to date.
namespace vernier::ledger {
namespace {

// A ledger as it was found, with its witness.
struct Found {
  std::optional<Book> book;
  Watch watch;
};

Result<Found> found_in(Transaction& transaction, Watch watch, const Transaction::Visit& visit = {}) {
  Found found{std::nullopt, std::move(watch)};
  VERNIER_TRY(std::optional<Book> book, replay(transaction, [&](const Entry& entry) {
                const Result<void> seen = found.watch.see(entry);
                return seen && visit ? visit(entry) : seen;
              }));
  found.book = std::move(book);
  return found.watch.finish(found.book).map([&] { return std::move(found); });
}

// 128 random bits, in hex.
Result<std::string> new_id() {
  std::array<std::byte, 16> bytes;
  return random::KernelEntropy::read(bytes).map([&] {
    return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
}

Result<Entry> first_entry(const Terms& terms, std::int64_t time) {
  return new_id().and_then([&](const std::string& id) -> Result<Entry> {
    Entry entry{.index = 1, .kind = Kind::terms, .time = time, .content = canonical(terms, id)};
    VERNIER_TRY(std::string hash, hash_of("", entry));
    entry.hash = std::move(hash);
    return entry;
  });
}

// Writes the first entry into an empty store.
Result<Found> begun_in(Transaction& transaction, const Terms& terms, std::int64_t time, Found empty) {
  VERNIER_TRY(const Entry entry, first_entry(terms, time));
  VERNIER_TRY(Book book, Book::of(entry));
  VERNIER_TRY(transaction.begin(entry, book.rules().quanta.budget())
                  .and_then([&] { return transaction.commit(); })
                  .and_then([&] { return empty.watch.see(entry); }));
  return Found{std::move(book), std::move(empty.watch)};
}

// The witness is read before the view begins that is held against it: one that is read later may have seen what others
// wrote meanwhile. Where its name needs the ledger's id, that is in a view of its own; asleep where there is none yet.
Result<Watch> watch_of(Store& store, const WitnessPlace& place) {
  Watch watch(place);
  if (place.is_nowhere()) return watch;
  if (!place.file.empty()) return watch.wake("").map([&] { return std::move(watch); });
  VERNIER_TRY(const std::unique_ptr<Transaction> transaction, store.begin(Access::read));
  std::optional<Result<void>> awake;
  const Result<void> visited = transaction->visit_after(0, [&](const Entry& first) -> Result<void> {
    awake = watch.wake(first.hash);
    return invalid("the first is enough");
  });
  const Result<void>& outcome = awake ? *awake : visited;
  return outcome.map([&] { return std::move(watch); });
}

Result<Found> looked_at(Store& store, const WitnessPlace& place, const Transaction::Visit& visit) {
  VERNIER_TRY(Watch watch, watch_of(store, place));
  const bool is_new = !place.is_nowhere() && !watch.is_awake();
  {
    VERNIER_TRY(const std::unique_ptr<Transaction> transaction, store.begin(Access::read));
    if (!is_new) return found_in(*transaction, std::move(watch), visit);
    VERNIER_TRY(const std::optional<Book> book, replay(*transaction));
    if (!book) return Found{std::nullopt, std::move(watch)};
  }
  return looked_at(store, place, visit);  // another process began it meanwhile
}

Result<Found> begun(Store& store, const Terms& terms, const Options& options) {
  VERNIER_TRY(const std::unique_ptr<Transaction> transaction, store.begin(Access::write));
  Result<Found> found = found_in(*transaction, Watch(options.witness));
  if (!found || found->book) return found;  // another process was faster
  return begun_in(*transaction, terms, options.clock(), *std::move(found));
}

// Looks first, so that others are not kept from writing meanwhile; takes the lock only to begin.
Result<Found> found_or_begun(Store& store, const Terms& terms, const Options& options) {
  Result<Found> found = looked_at(store, options.witness, {});
  if (!found || found->book) return found;
  return begun(store, terms, options);
}

Failure other_terms(const std::string& name, const Terms& begun_with, const Terms& now) {
  return invalid(
      "the ledger '" + name + "' was begun with " + told(begun_with) + ", but the catalog now says " + told(now),
      "what was promised stays: write those back, or begin another ledger");
}

// That the catalog promises what the ledger was begun with, and to whom.
Result<void> check_promise(const std::string& name, const Book& book, const Terms& terms, const Units& declared) {
  if (book.rules().terms != terms) return other_terms(name, book.rules().terms, terms);
  const auto conflict = book.units().conflict_of_catalog(declared);
  if (conflict) return invalid("the ledger '" + name + "' " + *conflict);
  return {};
}

}  // namespace

Result<std::optional<Book>> look(Store& store, const Terms& terms, const Options& options,
                                 const Transaction::Visit& visit) try {
  Result<Found> found = looked_at(store, options.witness, visit);
  if (!found) return Failure(does_not_hold(store.name(), found.error()));
  if (!found->book) return std::nullopt;
  return check_promise(store.name(), *found->book, terms, options.units).map([&] { return std::move(found->book); });
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<std::unique_ptr<Ledger::Parts>> Ledger::Parts::open(std::unique_ptr<Store> store, const Terms& terms,
                                                           const Options& options) {
  Result<Found> found = found_or_begun(*store, terms, options);
  if (!found) return Failure(does_not_hold(store->name(), found.error()));
  VERNIER_TRY(check_promise(store->name(), *found->book, terms, options.units));
  auto parts = std::unique_ptr<Parts>(
      new Parts(std::move(store), *std::move(found->book), std::move(found->watch).take(), options.clock));
  return parts->remember().and_then([&] { return parts->divide(options.shares); }).map([&] {
    return std::move(parts);
  });
}

// Writes down the shares where they are others than before.
Result<void> Ledger::Parts::divide(const Shares& shares) {
  if (book_.shares() == shares) return {};
  return run([&](Transaction& transaction) -> Result<bool> {
    if (book_.shares() == shares) return false;
    Entry entry{.kind = Kind::shares, .content = canonical(shares)};
    return write(transaction, entry).map([] { return true; });
  });
}

}  // namespace vernier::ledger
