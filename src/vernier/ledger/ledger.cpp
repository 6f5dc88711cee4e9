#include "vernier/ledger/ledger.hpp"

#include "vernier/core/text.hpp"
#include "vernier/ledger/lines.hpp"
#include "vernier/ledger/locked_file.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

std::string told(const Terms& terms) {
  return "epsilon " + shortest(terms.epsilon.round_down()) + ", delta " + shortest(terms.delta.round_down()) +
         " and accountant " + std::string(name_of(terms.accountant));
}

bool are_equal(const Terms& a, const Terms& b) {
  return a.accountant == b.accountant && a.epsilon == b.epsilon && a.delta == b.delta;
}

// What is left after all that the ledger says.
Result<Balance> replayed(const std::string& name, const Terms& terms, const Contents& contents) {
  if (!are_equal(contents.terms, terms)) {
    return invalid("the ledger '" + name + "' was begun with " + told(contents.terms) + ", but the catalog now says " +
                   told(terms) + "; what was promised stays: write those back, or begin another ledger");
  }
  Result<Balance> balance = untouched(terms);
  for (std::size_t i = 0; balance && i < contents.entries.size(); ++i) {
    const Offer& taken = contents.entries[i].taken;
    if (const Result<void> spent = balance->filter.spend(taken.amounts); !spent) {
      return invalid("the ledger '" + name + "' does not hold: entry " + std::to_string(i + 1) +
                     " spends more than its terms allow; nothing is released against it");
    }
    balance->is_open = balance->is_open || taken.manner == Manner::divergence;
  }
  return balance;
}

// Reads the ledger, which gets its first line where it is empty.
Result<Contents> contents_of(LockedFile& file, const std::string& name, const Terms& terms) {
  const Result<std::string> text = file.read();
  if (!text) return Failure(text.error());
  if (!text->empty()) return read_lines(name, *text);
  const Result<Line> first = line_of(terms);
  if (!first) return Failure(first.error());
  if (const Result<void> written = file.append(first->text); !written) return Failure(written.error());
  return Contents{terms, {}, first->hash};
}

}  // namespace

Result<Ledger> Ledger::open(const std::filesystem::path& path, const Terms& terms) {
  if (const Result<Balance> possible = untouched(terms); !possible) return Failure(possible.error());
  Result<LockedFile> file = LockedFile::open(path, LockedFile::Missing::is_made);
  if (!file) return Failure(file.error());
  const Result<Contents> contents = contents_of(*file, path.string(), terms);
  if (!contents) return Failure(contents.error());
  return replayed(path.string(), terms, *contents).map([&](Balance balance) {
    return Ledger(path, terms, std::move(balance));
  });
}

Result<Receipt> Ledger::reserve(const Spend& spend) {
  Result<LockedFile> file = LockedFile::open(path_, LockedFile::Missing::is_error);
  if (!file) return Failure(file.error());
  const Result<Contents> contents =
      file->read().and_then([&](const std::string& text) { return read_lines(path_.string(), text); });
  if (!contents) return Failure(contents.error());
  Result<Balance> balance = replayed(path_.string(), terms_, *contents);
  if (!balance) return Failure(balance.error());
  balance_ = *std::move(balance);
  const Result<Offer> offer = offer_of(terms_, balance_, spend.price);
  if (!offer) return Failure(offer.error());
  const auto index = static_cast<std::int64_t>(contents->entries.size()) + 1;
  const Result<Line> line = line_of(Entry{spend.release, spend.study, spend.plan_hash, *offer}, index, contents->head);
  if (!line) return Failure(line.error());
  if (const Result<void> written = file->append(line->text); !written) return Failure(written.error());
  balance_.is_open = balance_.is_open || offer->manner == Manner::divergence;
  return balance_.filter.spend(offer->amounts).map([&] { return Receipt{index, line->hash}; });
}

}  // namespace vernier::ledger
