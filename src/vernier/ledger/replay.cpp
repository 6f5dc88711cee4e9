#include "vernier/ledger/ledger.hpp"
#include "vernier/ledger/relay.hpp"

namespace vernier::ledger {
namespace {

// That the store's own row says what the entries add up to.
Result<void> check_tally(const Tally& tally, const Book& book) {
  if (tally.position.index > book.position().index) {
    return invalid("entry " + std::to_string(tally.position.index) + " is missing, and it was there");
  }
  if (tally.position != book.position() || tally.left != book.balance().left) {
    return invalid("what it says is left is not what its entries add up to");
  }
  return {};
}

}  // namespace

Result<std::optional<Book>> replay(Transaction& transaction, const Transaction::Visit& visit) {
  VERNIER_TRY(const std::optional<Tally> tally, transaction.tally());
  std::optional<Book> book;
  const std::int64_t last = tally ? tally->position.index : 0;
  VERNIER_TRY(visit_beside(transaction, last, [&](const Entry& entry) -> Result<void> {
    if (book) {
      if (Result<void> taken = book->take(entry); !taken) return taken;
    } else {
      VERNIER_TRY(Book begun, Book::of(entry));
      book.emplace(std::move(begun));
    }
    return visit ? visit(entry) : Result<void>();
  }));
  if (tally.has_value() != book.has_value()) return invalid("its first entry is missing");
  if (book) {
    VERNIER_TRY(check_tally(*tally, *book));
  }
  return book;
}

}  // namespace vernier::ledger
