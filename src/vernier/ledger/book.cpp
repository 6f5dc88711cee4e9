#include "vernier/ledger/book.hpp"

#include <algorithm>

namespace vernier::ledger {
namespace {

Failure wrong(const Entry& entry, const std::string& how) {
  return invalid("entry " + std::to_string(entry.index) + " " + how);
}

Cost least(const Cost& a, const Cost& b) { return {std::min(a.epsilon, b.epsilon), std::min(a.delta, b.delta)}; }

bool is_negative(const Cost& cost) { return cost.epsilon < 0 || cost.delta < 0; }

std::string names_of(const Shares& shares) {
  std::string names;
  for (const Share& share : shares) names += (names.empty() ? "" : ", ") + share.analyst;
  return names;
}

Failure has_no_share(const std::string& analyst, const Shares& shares) {
  const std::string who = analyst.empty() ? "the analyst is not named" : "'" + analyst + "' has no share";
  return invalid("the budget is divided into shares, and " + who + "; name one of: " + names_of(shares));
}

// That it is the next one and as it was written.
Result<void> check_place(const Position& before, const Entry& entry) {
  if (entry.index != before.index + 1) {
    return wrong(entry, "does not follow entry " + std::to_string(before.index) + ": entries are missing or moved");
  }
  const Result<std::string> hash = hash_of(before.head, entry);
  if (!hash) return Failure(hash.error());
  if (*hash != entry.hash) return wrong(entry, "was changed after it was written, or one before it was");
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
  if (const Result<void> placed = check_place({}, first); !placed) return Failure(placed.error());
  return terms_in(first.content).and_then(rules_of).map([&](Rules rules) {
    return Book(std::move(rules), {first.index, first.hash});
  });
}

Result<void> Book::take(const Entry& entry) {
  if (Result<void> placed = check_place(position_, entry); !placed) return placed;
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

Result<void> Book::take_reserve(const Entry& entry) {
  const bool opens = entry.manner == Manner::divergence && !balance_.is_open;
  if (entry.manner == Manner::divergence && !charges_by_divergence(rules_.terms.accountant)) {
    return wrong(entry, "is charged by divergence, which the terms do not know");
  }
  if (is_negative(entry.cost)) return wrong(entry, "costs less than nothing");
  if (opens && !fits(rules_.opening, entry.cost)) return wrong(entry, "does not pay for the conversion");
  if (!shares_.empty() && share_of(shares_, entry.analyst) == nullptr) return wrong(entry, "is paid from no share");
  if (!fits(entry.cost, balance_of(entry.analyst).left)) return wrong(entry, "spends more than was left");
  balance_.left = balance_.left - entry.cost;
  balance_.is_open = balance_.is_open || opens;
  Cost& spent = spent_by_[entry.analyst];
  spent = spent + entry.cost;
  return {};
}

Cost Book::spent_by(std::string_view analyst) const {
  const auto found = spent_by_.find(analyst);
  return found == spent_by_.end() ? Cost{} : found->second;
}

Balance Book::balance_of(std::string_view analyst) const {
  const Share* share = share_of(shares_, analyst);
  if (share == nullptr) return shares_.empty() ? balance_ : Balance{{}, balance_.is_open, {}};
  const Cost most = most_of(*share, balance_.most);
  const Cost unspent = most - least(most, spent_by(analyst));
  return {least(unspent, balance_.left), balance_.is_open, most};
}

Result<Offer> Book::offer(const Spend& spend) const {
  if (shares_.empty()) return offer_of(rules_, balance_, spend.price);
  if (share_of(shares_, spend.analyst) == nullptr) return has_no_share(spend.analyst, shares_);
  return offer_of(rules_, balance_of(spend.analyst), spend.price).map_error([&](Error error) {
    return Error{error.kind, "in the share of '" + spend.analyst + "', " + error.sentence};
  });
}

}  // namespace vernier::ledger
