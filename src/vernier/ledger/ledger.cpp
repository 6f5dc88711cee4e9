#include "vernier/ledger/ledger.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/ledger/group_commit.hpp"
#include "vernier/ledger/ledger_parts.hpp"
#include "vernier/ledger/price.hpp"
#include "vernier/ledger/store.hpp"

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
  return {ErrorKind::system, "does not hold: " + found.sentence(), "the ledger '" + name + "'",
          "nothing is released against it, so bring it back as it was written"};
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

namespace {

using numeric::Rational;

__extension__ using Wide = __int128;  // products of an amount and a small number

constexpr std::int64_t payback = 10;  // such studies, within which the conversion must have paid for itself

std::int64_t times_of(std::int64_t cost, std::int64_t left) {
  return cost > 0 ? left / cost : std::numeric_limits<std::int64_t>::max();
}
std::int64_t times_of(const Cost& cost, const Cost& left) {
  if (!fits({}, left)) return 0;
  return std::min(times_of(cost.epsilon, left.epsilon), times_of(cost.delta, left.delta));
}

Room room_of(const Rules& rules, const Balance& balance, const Price& price) {
  return {times_of(*price.divergence, balance.left - rules.opening), times_of(price.total, balance.left)};
}

// Whether ten such studies cost less with the conversion than without it.
bool pays_itself_back(const Rules& rules, const Price& price) {
  return Wide(payback) * (price.total.epsilon - price.divergence->epsilon) >= rules.opening.epsilon;
}

// Whether the conversion is worth it for what is asked. It serves all that come after, so it may take half of what is
// left at most: a small question does not leave next to nothing for a large one. adaptive.md: any rule is valid.
bool is_worth_opening(const Rules& rules, const Balance& balance, const Price& price) {
  const Room room = room_of(rules, balance, price);
  return fits(*price.divergence, price.total) && room.with_conversion > room.by_totals &&
         rules.opening.epsilon <= balance.left.epsilon - rules.opening.epsilon &&
         (price.opening == Opening::early || pays_itself_back(rules, price));
}

// Once the conversion is paid, divergences that cost no more.
bool prefers_divergence(const Rules& rules, const Balance& balance, const Price& price) {
  if (balance.is_open) return price.divergence->epsilon <= price.total.epsilon;
  return is_worth_opening(rules, balance, price);
}

Offer by_divergence(const Rules& rules, const Balance& balance, const Price& price) {
  if (balance.is_open) return {Manner::divergence, *price.divergence};
  return {Manner::divergence, *price.divergence + rules.opening, rules.opening, room_of(rules, balance, price)};
}

// As decimals that were meant: 0.1 and not 0.09999999999999999.
std::string up(const Rational& amount) { return rounded_up_text(amount.round_down()); }
std::string down(const Rational& amount) { return rounded_down_text(amount.round_up()); }

// What a study may still state as its budget: its total is then within what is left. All of epsilon, and of delta no
// more than was asked.
std::string still_granted(const Quanta& quanta, const Balance& balance, const Price& price) {
  const Cost& cost = price.total;
  if (balance.left.epsilon <= 0) return "ask the steward for more: nothing more is granted";
  if (price.needs_delta && balance.left.delta <= 0) {
    return "ask the steward for more delta, without which private keys and tables are not published, or ask of "
           "declared "
           "keys";
  }
  const Rational delta = quanta.delta(std::min(cost.delta, balance.left.delta));
  return "ask the steward for more, or for a budget of epsilon " + down(quanta.epsilon(balance.left.epsilon)) +
         " and delta " + down(delta) + ", which is still granted";
}

Failure refused(const char* name, const Rational& cost, const Rational& left, const Rational& most,
                const std::string& advice) {
  return fail(ErrorKind::exhausted,
              "the study asks for more than is left: it costs " + up(cost) + " of " + name + ", and " + down(left) +
                  " of " + down(most) + " is left",
              advice);
}

Failure refused(const Quanta& quanta, const Balance& balance, const Price& price) {
  const Cost& cost = price.total;
  const std::string advice = still_granted(quanta, balance, price);
  if (cost.epsilon > balance.left.epsilon) {
    return refused("epsilon", quanta.epsilon(cost.epsilon), quanta.epsilon(balance.left.epsilon),
                   quanta.epsilon(balance.most.epsilon), advice);
  }
  return refused("delta", quanta.delta(cost.delta), quanta.delta(balance.left.delta), quanta.delta(balance.most.delta),
                 advice);
}

}  // namespace

Result<Offer> offer_of(const Rules& rules, const Balance& balance, const Price& price) {
  const bool total_fits = fits(price.total, balance.left);
  const bool may_diverge = price.divergence && (balance.is_open || price.opening != Opening::never);
  if (may_diverge && (!total_fits || prefers_divergence(rules, balance, price))) {
    const Offer offer = by_divergence(rules, balance, price);
    if (fits(offer.cost, balance.left)) return offer;
  }
  if (total_fits) return Offer{Manner::total, price.total};
  return refused(rules.quanta, balance, price);
}

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
