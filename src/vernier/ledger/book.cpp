#include "vernier/ledger/book.hpp"

#include <algorithm>

namespace vernier::ledger {
namespace {

Failure wrong(const Entry& entry, const std::string& how) {
  return invalid("entry " + std::to_string(entry.index) + " " + how);
}

bool is_negative(const Cost& cost) { return cost.epsilon < 0 || cost.delta < 0; }

// That it is the next one and as it was written.
Result<void> check_place(const Position& before, const Entry& entry) {
  if (entry.index != before.index + 1) {
    return wrong(entry, "does not follow entry " + std::to_string(before.index) + ": entries are missing or moved");
  }
  VERNIER_TRY(const Sha256Digits hash, digits_of(before.head, entry));
  if (text_of(hash) != entry.hash) return wrong(entry, "was changed after it was written, or one before it was");
  return {};
}

}  // namespace

Book::Book(Rules rules, Position position)
    : rules_(std::move(rules)),
      position_(std::move(position)),
      id_(position_.head),
      balance_{rules_.quanta.budget(), false, rules_.quanta.budget()} {}

Result<Book> Book::of(const Entry& first) {
  if (first.kind != Kind::terms) return wrong(first, "is the first, but states no terms");
  VERNIER_TRY(check_place({}, first));
  return terms_in(first.content).and_then(rules_of).map([&](Rules rules) {
    return Book(std::move(rules), {first.index, first.hash});
  });
}

Result<void> Book::take(const Entry& entry) {
  if (Result<void> placed = check_place(position_, entry); !placed) return placed;
  return take_content(entry);
}

Result<void> Book::write(Entry& entry) {
  entry.index = position_.index + 1;
  VERNIER_TRY(const Sha256Digits hash, digits_of(position_.head, entry));
  entry.hash = text_of(hash);
  return take_content(entry);
}

// Of an entry whose place is right.
Result<void> Book::take_content(const Entry& entry) {
  if (entry.kind == Kind::terms) return wrong(entry, "states terms, which only the first may");
  if (entry.kind == Kind::shares) {
    Result<Shares> shares = shares_in(entry.content);
    if (!shares) return wrong(entry, "states shares that do not hold");
    shares_ = *std::move(shares);
  }
  if (entry.kind == Kind::reserve) {
    if (Result<void> taken = take_reserve(entry); !taken) return taken;
  }
  position_.index = entry.index;
  position_.head = entry.hash;
  return {};
}

// The tables that it names; none where the text was seen before, or where it names none.
Result<Units> Book::new_units_in(const Entry& entry) const {
  if (entry.content.empty() || seen_units_.contains(entry.content)) return Units{};
  Result<Units> units = units_in(entry.content);
  if (!units) return wrong(entry, units.error().sentence());
  if (units_.conflict(*units)) return wrong(entry, "is of another unit than its table or file had before");
  return units;
}

Result<void> Book::check_reserve(const Entry& entry) const {
  const bool opens = entry.manner == Manner::divergence && !balance_.is_open;
  if (entry.manner == Manner::divergence && !charges_by_divergence(rules_.terms.accountant)) {
    return wrong(entry, "is charged by divergence, which the terms do not know");
  }
  if (is_negative(entry.cost)) return wrong(entry, "costs less than nothing");
  if (opens && !fits(rules_.opening, entry.cost)) return wrong(entry, "does not pay for the conversion");
  const Result<Balance> balance = balance_of(entry.analyst);
  if (!balance) return wrong(entry, "is paid from no share");
  if (!fits(entry.cost, balance->left)) return wrong(entry, "spends more than was left");
  return {};
}

Result<void> Book::take_reserve(const Entry& entry) {
  if (Result<void> checked = check_reserve(entry); !checked) return checked;
  VERNIER_TRY(const Units units, new_units_in(entry));
  units_.add(units);
  if (!units.empty()) seen_units_.insert(entry.content);
  if (entry.content.empty()) units_.add_unit_alone(entry.unit);
  balance_.left = balance_.left - entry.cost;
  balance_.is_open = balance_.is_open || entry.manner == Manner::divergence;
  Cost& spent = spent_by_[entry.analyst];
  spent = spent + entry.cost;
  return {};
}

Cost Book::spent_by(std::string_view analyst) const {
  const auto found = spent_by_.find(analyst);
  return found == spent_by_.end() ? Cost{} : found->second;
}

Result<Balance> Book::balance_of(const std::string& analyst) const {
  return ledger::balance_of(shares_, balance_, spent_by(analyst), analyst);
}

Result<Offer> Book::offer(const Spend& spend) const {
  if (const auto conflict = units_.conflict(spend.tables)) return invalid("the ledger " + *conflict);
  VERNIER_TRY(const Balance balance, balance_of(spend.analyst));
  return offer_of(rules_, balance, spend.price).map_error([&](Error error) {
    const std::string where = shares_.empty() ? "" : "in the share of '" + spend.analyst + "', ";
    return after(where, std::move(error));
  });
}

void Summary::take(const Entry& entry) {
  last_time_ = entry.time;
  if (entry.kind == Kind::reserve) take_reserve(entry);
  if (entry.kind == Kind::settle) (unanswered_.erase(entry.release) > 0 ? answered_ : strays_) += 1;
}

void Summary::take_reserve(const Entry& entry) {
  Spending& manner = entry.manner == Manner::total ? by_total_ : by_divergence_;
  for (Spending* const part : {&all_, &manner, &by_analyst_[entry.analyst], &by_study_[entry.study]}) {
    part->cost = part->cost + entry.cost;
    part->releases += 1;
  }
  unanswered_.emplace(entry.release, entry);
}

}  // namespace vernier::ledger
