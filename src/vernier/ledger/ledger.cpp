#include "vernier/ledger/ledger.hpp"

#include <chrono>
#include <new>
#include <utility>

#include "vernier/core/names.hpp"
#include "vernier/ledger/group_commit.hpp"
#include "vernier/ledger/ledger_parts.hpp"
#include "vernier/ledger/out_of_memory.hpp"

namespace vernier::ledger {
namespace {

Result<void> check_word(const char* what, const std::string& word, bool may_be_empty) {
  if (word.empty() && may_be_empty) return {};
  const auto fault = fault_of_name(word);
  if (fault) return invalid(std::string(what) + " of a spend cannot be written down: " + *fault);
  return {};
}

Result<void> check_words(const Spend& spend) {
  return check_word("the release", spend.release, false)
      .and_then([&] { return check_word("the study", spend.study, false); })
      .and_then([&] { return check_word("the plan", spend.plan, false); })
      .and_then([&] { return check_word("the unit", spend.unit, false); })
      .and_then([&] { return check_word("the analyst", spend.analyst, true); })
      .and_then([&] { return check_word("the request", spend.request, true); });
}

Entry draft_of(const Spend& spend) {
  return {.kind = Kind::reserve,
          .release = spend.release,
          .request = spend.request,
          .analyst = spend.analyst,
          .study = spend.study,
          .unit = spend.unit,
          .plan = spend.plan,
          .content = spend.tables.empty() ? std::string() : canonical(spend.tables)};
}

// Decides in a transaction that others may share; the answer counts once that has ended.
template <class Answer, class Parts, class Decide>
Result<Answer> decided(Parts& parts, const Decide& decide) {
  std::optional<Result<Answer>> answer;
  const Job job = [&](Transaction& transaction) -> Result<bool> {
    VERNIER_TRY(Decision<Answer> decision, decide(transaction));
    answer = std::move(decision.answer);
    return decision.wrote;
  };
  VERNIER_TRY(parts.run(job));
  return *std::move(answer);
}

}  // namespace

std::int64_t system_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Error does_not_hold(const std::string& name, const Error& found) {
  if (found.kind != ErrorKind::invalid) return found;
  return {ErrorKind::system, "the ledger '" + name + "' does not hold: " + found.sentence +
                                 "; nothing is released against it, so bring it back as it was written"};
}

Ledger::Ledger(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Ledger::~Ledger() = default;

Result<std::unique_ptr<Ledger>> Ledger::open(std::unique_ptr<Store> store, const Terms& terms,
                                             const Options& options) try {
  VERNIER_TRY(rules_of(terms));
  return Parts::open(std::move(store), terms, options).map([](std::unique_ptr<Parts> parts) {
    return std::unique_ptr<Ledger>(new Ledger(std::move(parts)));
  });
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<Reservation> Ledger::reserve(const Spend& spend) try {
  VERNIER_TRY(check_words(spend));
  Entry draft = draft_of(spend);
  return decided<Reservation>(
      *parts_, [&](Transaction& transaction) { return parts_->decide_reserve(transaction, spend, draft); });
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Result<Receipt> Ledger::settle(const std::string& release, const Documents& documents) try {
  return decided<Receipt>(
      *parts_, [&](Transaction& transaction) { return parts_->decide_settle(transaction, release, documents); });
} catch (const std::bad_alloc&) {
  return out_of_memory();
}

Book Ledger::book() const { return parts_->book(); }
const Rules& Ledger::rules() const { return parts_->rules(); }
const std::string& Ledger::name() const { return parts_->name(); }

}  // namespace vernier::ledger
