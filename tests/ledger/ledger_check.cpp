#include "ledger/ledger_check.hpp"

#include <map>
#include <vector>

namespace vernier::testing {
namespace {

using ledger::Entry;
using ledger::Kind;
using ledger::Receipt;

// All that a store has.
struct Content {
  std::vector<Entry> entries;
  std::map<std::string, ledger::Documents> documents;  // by release
};

Result<Content> read_all(ledger::Transaction& transaction) {
  Content content;
  const auto keep = [&](const Entry& entry) -> Result<void> {
    content.entries.push_back(entry);
    return {};
  };
  if (const auto book = ledger::replay(transaction, keep); !book) return Failure(book.error());
  for (const Entry& entry : content.entries) {
    if (entry.kind != Kind::settle) continue;
    Result<ledger::Documents> documents = transaction.documents(entry.release);
    if (!documents) return Failure(documents.error());
    content.documents[entry.release] = *std::move(documents);
  }
  return content;
}

Result<Content> content_of(ledger::Store& store) {
  const auto transaction = store.begin(ledger::Access::read);
  if (!transaction) return Failure(transaction.error());
  return read_all(**transaction);
}

std::optional<Receipt> receipt_in(const Content& content, Kind kind, const std::string& release) {
  for (const Entry& entry : content.entries) {
    if (entry.kind == kind && entry.release == release) return Receipt{entry.index, entry.hash};
  }
  return std::nullopt;
}

// Nothing where the receipt is what was acknowledged, or nothing was.
std::string contradiction_of(const char* what, const std::string& release, const std::optional<Receipt>& acknowledged,
                             const std::optional<Receipt>& found) {
  if (!acknowledged) return "";
  if (!found) return std::string("lost: the ") + what + " of " + release;
  return is_same(*acknowledged, *found) ? "" : std::string("changed: the ") + what + " of " + release;
}

std::string contradiction_of(const Content& content, const std::string& release, const Paid& paid) {
  const auto reserved = receipt_in(content, Kind::reserve, release);
  const auto settled = receipt_in(content, Kind::settle, release);
  if (auto found = contradiction_of("grant", release, paid.receipt, reserved); !found.empty()) return found;
  if (auto found = contradiction_of("answer", release, paid.settled, settled); !found.empty()) return found;
  if (settled && content.documents.at(release) != paid.answer) return "changed: the documents of " + release;
  if (reserved && content.entries[static_cast<std::size_t>(reserved->index - 1)].cost != paid.spend.price.total) {
    return "changed: the cost of " + release;
  }
  return "";
}

// The entries that nobody was told of, but who asked for them.
std::string contradiction_of_doubts(const Content& content, const LedgerClient& client) {
  int in_flight = 0;
  for (const Entry& entry : content.entries) {
    if (entry.kind == Kind::terms) continue;
    const auto paid = client.paid().find(entry.release);
    if (paid == client.paid().end()) return "nobody asked for entry " + std::to_string(entry.index);
    const bool is_told =
        entry.kind == Kind::settle ? paid->second.settled.has_value() : paid->second.receipt.has_value();
    if (!is_told) ++in_flight;
  }
  return in_flight <= 1 ? "" : "more than what was in flight was written";
}

std::string contradiction_of_balance(const ledger::Ledger& ledger, const Content& content, const LedgerClient& client) {
  ledger::Cost left = LedgerClient::budget();
  for (const Entry& entry : content.entries) left = left - entry.cost;
  if (ledger.book().balance().left != left) return "what is left is not the budget less its entries";
  return fits(left, LedgerClient::budget() - client.acknowledged()) ? "" : "more is left than was acknowledged";
}

void learn_all(const Content& content, LedgerClient& client) {
  const std::map<std::string, Paid> before = client.paid();
  for (const auto& [release, paid] : before) {
    client.learn(release, receipt_in(content, Kind::reserve, release), receipt_in(content, Kind::settle, release));
  }
}

std::string contradiction_in_use(ledger::Ledger& ledger, LedgerClient& client) {
  const std::map<std::string, Paid> before = client.paid();
  for (const auto& [release, paid] : before) {
    if (const auto asked = client.ask_again(ledger, release); !asked) return "unusable: " + asked.error().sentence();
  }
  for (int i = 0; i < 2; ++i) {
    if (const auto acted = client.act(ledger); !acted) return "unusable: " + acted.error().sentence();
  }
  return client.complaint();
}

}  // namespace

std::string contradiction(const SimulatedDisk& disk, LedgerClient& client) {
  auto store = LedgerClient::store_on(disk);
  if (!store) return "unreadable: " + store.error().sentence();
  const Result<Content> content = content_of(**store);
  if (!content) return "unreadable: " + content.error().sentence();
  for (const auto& [release, paid] : client.paid()) {
    if (auto found = contradiction_of(*content, release, paid); !found.empty()) return found;
  }
  if (auto found = contradiction_of_doubts(*content, client); !found.empty()) return found;
  const auto ledger = LedgerClient::open(*std::move(store));
  if (!ledger) return "unusable: " + ledger.error().sentence();
  if (auto found = contradiction_of_balance(**ledger, *content, client); !found.empty()) return found;
  learn_all(*content, client);
  return contradiction_in_use(**ledger, client);
}

}  // namespace vernier::testing
