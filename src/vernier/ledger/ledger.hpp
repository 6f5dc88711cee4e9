#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "vernier/ledger/book.hpp"
#include "vernier/ledger/store.hpp"
#include "vernier/ledger/watch.hpp"

// What may be spent, and what was. A spend is durable before data is read, and is never given back.
namespace vernier::ledger {

struct Receipt {
  std::int64_t index;  // of the entry
  std::string head;    // the hash of all entries up to it, in hex
};

// What became of a request.
struct Granted {  // paid for now: run it, then settle it
  Receipt receipt;
  Offer taken;
  bool is_witness_new = false;  // it had seen nothing of a ledger that had releases, which may be an older copy
};
struct Answered {  // the same request was answered before, and nothing is charged
  Receipt receipt;
  Documents documents;
};
struct Unanswered {  // the same request was paid for before, and has no answer (yet): nothing is charged
  Receipt receipt;
};
using Reservation = std::variant<Granted, Answered, Unanswered>;

using Clock = std::function<std::int64_t()>;  // seconds since 1970
std::int64_t system_seconds();

struct Options {
  WitnessPlace witness = {};  // nowhere: an older copy of the ledger goes unnoticed
  Shares shares = {};         // as the catalog has them now
  Units units = {};           // likewise: all of its tables; none: nothing is compared
  Clock clock = system_seconds;
};

// A ledger on a store. Any number of threads may use one, and any number of processes the same store: spends that wait
// at the same time share one commit.
class Ledger {
 public:
  // Opens or begins the ledger and replays all of it. An error where its terms are others than these, a table has
  // another unit than its releases had, an entry does not hold, or the witness saw more than there is.
  static Result<std::unique_ptr<Ledger>> open(std::unique_ptr<Store> store, const Terms& terms, const Options& options);

  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger();

  // Writes the spend durably, or refuses it and tells what is left.
  Result<Reservation> reserve(const Spend& spend);

  // Stores the answer of a release that was reserved; from then on its request gets these bytes.
  Result<Receipt> settle(const std::string& release, const Documents& documents);

  // What it all adds up to, as of the last look at the store.
  Book book() const;
  const Rules& rules() const;
  const std::string& name() const;

 private:
  struct Parts;
  explicit Ledger(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// All entries of a store, from the first on, checked one after the other and against the store's own row; none where it
// is empty. Errors are parts of a sentence that `does_not_hold` ends. The visit may run in another thread, one at a
// time, and does not use the transaction.
Result<std::optional<Book>> replay(Transaction& transaction, const Transaction::Visit& visit = {});

// What the entries of a store add up to, held against terms, units and witness as `open` does, without writing
// anything. Of the options neither shares nor clock are used.
Result<std::optional<Book>> look(Store& store, const Terms& terms, const Options& options,
                                 const Transaction::Visit& visit = {});

Error does_not_hold(const std::string& name, const Error& found);

}  // namespace vernier::ledger
