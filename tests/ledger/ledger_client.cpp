#include "ledger/ledger_client.hpp"

#include <utility>
#include <vector>

#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::testing {
namespace {

using ledger::Receipt;

ledger::Documents documents_of(const std::string& release, std::size_t size, std::mt19937_64& chance) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(chance());
  return {{"release.json", "{\"release\": \"" + release + "\"}"}, {"counts.csv", std::move(bytes)}};
}

// By a rule of the ledger; what the disk failed to do is of the kind system.
bool is_refusal(const Error& error) { return error.kind != ErrorKind::system; }

}  // namespace

bool is_same(const Receipt& a, const Receipt& b) { return a.index == b.index && a.head == b.head; }

ledger::Terms LedgerClient::terms() {
  return {ledger::Accountant::pure, numeric::Rational::of(60), numeric::Rational::of(0)};
}

ledger::Cost LedgerClient::budget() { return ledger::rules_of(terms())->quanta.budget(); }

ledger::Spend LedgerClient::spend_of(int number, int units) {
  static const ledger::Quanta quanta = ledger::rules_of(terms())->quanta;
  const std::string id = std::to_string(number);
  ledger::Spend spend{"r" + id, "visits", std::string(60, 'a') + id, "person", {}};
  spend.price.total = quanta.spend(numeric::Rational::of(units), numeric::Rational::of(0));
  spend.request = "q" + id;
  return spend;
}

Result<std::unique_ptr<ledger::Store>> LedgerClient::store_on(const SimulatedDisk& disk) {
  return ledger::open_sqlite("/ledger", ledger::Missing::is_made, disk.name());
}

Result<std::unique_ptr<ledger::Ledger>> LedgerClient::open(std::unique_ptr<ledger::Store> store,
                                                           const ledger::WitnessPlace& witness) {
  const auto clock = [] { return std::int64_t{1700000000}; };
  return ledger::Ledger::open(std::move(store), terms(), {.witness = witness, .clock = clock});
}

Result<std::unique_ptr<ledger::Ledger>> LedgerClient::open(const SimulatedDisk& disk) {
  return store_on(disk).and_then([](std::unique_ptr<ledger::Store> store) { return open(std::move(store)); });
}

Result<void> LedgerClient::act(ledger::Ledger& ledger) {
  const int kind = up_to(9);
  if (kind < 5) return reserve(ledger, 1 + up_to(4));
  const std::string release = chosen(kind >= 9);
  if (release.empty()) return reserve(ledger, 1);
  if (kind >= 8) return ask_again(ledger, release);
  return settle(ledger, release, static_cast<std::size_t>(up_to(3) == 0 ? up_to(9000) : up_to(300)));
}

std::string LedgerClient::chosen(bool settled) {
  std::vector<std::string> releases;
  for (const auto& [release, paid] : paid_) {
    if (paid.receipt && paid.settled.has_value() == settled) releases.push_back(release);
  }
  return releases.empty() ? "" : releases[static_cast<std::size_t>(up_to(static_cast<int>(releases.size()) - 1))];
}

Result<void> LedgerClient::reserve(ledger::Ledger& ledger, int units) {
  const ledger::Spend spend = next_spend(units);
  return heard(spend, ledger.reserve(spend));
}

Result<void> LedgerClient::settle(ledger::Ledger& ledger, const std::string& release, std::size_t size) {
  return heard_settled(release, ledger.settle(release, answer_for(release, size)));
}

Result<void> LedgerClient::ask_again(ledger::Ledger& ledger, const std::string& release) {
  return heard_again(release, ledger.reserve(paid_.at(release).spend));
}

const ledger::Documents& LedgerClient::answer_for(const std::string& release, std::size_t size) {
  Paid& paid = paid_.at(release);
  if (paid.answer.empty()) paid.answer = documents_of(release, size, chance_);
  return paid.answer;
}

Result<void> LedgerClient::heard(const ledger::Spend& spend, const Result<ledger::Reservation>& answer) {
  if (!answer && is_refusal(answer.error())) {
    const bool is_enough = ledger::fits(acknowledged() + spend.price.total, budget());
    if (is_enough) complain("refused although there is enough: " + answer.error().sentence());
    return {};
  }
  Paid& paid = paid_.emplace(spend.release, Paid{spend, std::nullopt}).first->second;
  if (!answer) return Failure(answer.error());
  const auto* granted = std::get_if<ledger::Granted>(&*answer);
  if (granted == nullptr) return complain("a new request was answered as an old one"), Result<void>();
  paid.receipt = granted->receipt;
  return {};
}

Result<void> LedgerClient::heard_settled(const std::string& release, const Result<Receipt>& settled) {
  if (!settled && is_refusal(settled.error())) complain("not settled: " + settled.error().sentence());
  if (!settled) return Failure(settled.error());
  paid_.at(release).settled = *settled;
  return {};
}

Result<void> LedgerClient::heard_again(const std::string& release, const Result<ledger::Reservation>& answer) {
  const Paid& paid = paid_.at(release);
  if (!answer && is_refusal(answer.error())) complain("asked again: " + answer.error().sentence());
  if (!answer) return Failure(answer.error());
  const auto* answered = std::get_if<ledger::Answered>(&*answer);
  const auto* unanswered = std::get_if<ledger::Unanswered>(&*answer);
  if (answered == nullptr && unanswered == nullptr) complain("release " + release + " was charged twice");
  if (answered != nullptr && answered->documents != paid.answer) complain("release " + release + " has other bytes");
  if (unanswered != nullptr && paid.settled) complain("the answer of release " + release + " is lost");
  const Receipt* receipt = answered != nullptr     ? &answered->receipt
                           : unanswered != nullptr ? &unanswered->receipt
                                                   : nullptr;
  if (receipt != nullptr && !is_same(*receipt, *paid.receipt)) complain("release " + release + " has another receipt");
  return {};
}

void LedgerClient::learn(const std::string& release, const std::optional<Receipt>& receipt,
                         const std::optional<Receipt>& settled) {
  Paid& paid = paid_.at(release);
  paid.receipt = receipt;
  paid.settled = settled;
  if (!receipt) paid_.erase(release);
}

ledger::Cost LedgerClient::acknowledged() const {
  ledger::Cost sum;
  for (const auto& [release, paid] : paid_) {
    if (paid.receipt) sum = sum + paid.spend.price.total;
  }
  return sum;
}

}  // namespace vernier::testing
