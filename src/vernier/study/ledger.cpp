#include "vernier/study/ledger.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include <fmt/format.h>

#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::study {
namespace {

using ledger::Balance;
using ledger::Cost;
using ledger::Entry;
using ledger::Transaction;

// How many entries there will be; at least 1.
Result<std::int64_t> entries_in(ledger::Store& store) {
  VERNIER_TRY(const std::unique_ptr<Transaction> transaction, store.begin(ledger::Access::read));
  return transaction->tally().map([](const std::optional<ledger::Tally>& tally) {
    return tally && tally->position.index > 0 ? tally->position.index : std::int64_t{1};
  });
}

Result<WitnessReading> witness_at(const std::filesystem::path& path) {
  return ledger::Witness::open(path).map([&](const ledger::Witness& found) {
    return WitnessReading{path, found.memory()};
  });
}

Result<void> replay_into(LedgerReading& reading, ledger::Store& store, const Progress& progress,
                         const Transaction::Visit& visit) {
  VERNIER_TRY(const std::int64_t entries, entries_in(store));
  const auto see = [&](const Entry& entry) -> Result<void> {
    const Result<void> on = go_on(progress, static_cast<double>(entry.index) / static_cast<double>(entries));
    if (!on) return on;
    reading.summary.take(entry);
    return visit ? visit(entry) : Result<void>();
  };
  const ledger::WitnessPlace place = release::witness_of(reading.catalog);
  const ledger::Options options{.witness = place, .units = release::units_of(reading.catalog)};
  VERNIER_TRY(std::optional<ledger::Book> book, ledger::look(store, reading.rules.terms, options, see));
  reading.book = std::move(book);
  if (!reading.book || place.is_nowhere()) return {};
  return witness_at(place.of(reading.book->id())).map([&](WitnessReading found) {
    reading.witness = std::move(found);
  });
}

// A witness in a file of its own knows whether there was a ledger.
Result<LedgerReading> without_a_ledger(LedgerReading reading) {
  const Result<void> seen = ledger::Watch(release::witness_of(reading.catalog)).finish(std::nullopt);
  if (seen) return reading;
  return fail(ErrorKind::system, ledger::does_not_hold(reading.name, seen.error()));
}

// As studies have it where they do not say.
Alpha usual_alpha() { return Alpha::of(numeric::Rational::of_decimal("0.05")->round_down()).value(); }

Cost spent_by(const ledger::Summary& summary, const std::string& analyst) {
  const auto found = summary.by_analyst().find(analyst);
  return found == summary.by_analyst().end() ? Cost{} : found->second.cost;
}

Cost least(const Cost& a, const Cost& b) { return {std::min(a.epsilon, b.epsilon), std::min(a.delta, b.delta)}; }

// The shares that the catalog states now: they hold from the next release on.
AnalystLine line_of(const LedgerReading& reading, const ledger::Share& share) {
  const Balance whole = reading.balance();
  const Cost spent = spent_by(reading.summary, share.analyst), most = ledger::most_of(share, whole.most);
  return {share.analyst, spent, most, least(most - least(most, spent), whole.left)};
}

std::vector<AnalystLine> lines_of(const LedgerReading& reading, const ledger::Shares& shares) {
  std::vector<AnalystLine> lines;
  for (const ledger::Share& share : shares) lines.push_back(line_of(reading, share));
  const Balance whole = reading.balance();
  for (const auto& [analyst, spending] : reading.summary.by_analyst()) {
    if (ledger::share_of(shares, analyst) != nullptr) continue;
    const bool may_spend = shares.empty();
    lines.push_back({analyst, spending.cost, may_spend ? whole.most : Cost{}, may_spend ? whole.left : Cost{}});
  }
  return lines;
}

Cost reserve_of(const Cost& budget, const std::vector<AnalystLine>& lines) {
  Cost rest = budget;
  for (const AnalystLine& line : lines) rest = rest - line.most;
  return rest;
}

using Ways = std::vector<release::CountStudy>;

Result<std::vector<Ways>> asked_counts(const ledger::Rules& rules, const std::vector<std::int64_t>& within,
                                       ledger::Opening opening) {
  std::vector<Ways> counts;
  for (const std::int64_t accuracy : within) {
    if (accuracy < 1 || accuracy > greatest_within) {
      return invalid(
          fmt::format("the accuracy of counts must be a whole number from 1 to 1e12, but it is '{}'", accuracy));
    }
    VERNIER_TRY(Ways ways, release::count_studies(rules, accuracy, usual_alpha(), opening));
    counts.push_back(std::move(ways));
  }
  return counts;
}

CapacityLine capacity_of(const LedgerReading& reading, const std::string& name, const Cost& left,
                         const std::vector<Ways>& counts) {
  const Balance whole = reading.balance();
  CapacityLine line{name, {}};
  for (const Ways& ways : counts) {
    line.capacities.push_back(release::capacity(reading.rules, {left, whole.is_open, whole.most}, ways));
  }
  return line;
}

// The greatest balance that anybody has.
Cost greatest_left(const LedgerShow& show) {
  if (!show.has_shares) return show.reading.balance().left;
  Cost most;
  for (const AnalystLine& line : show.analysts) most = line.left.epsilon > most.epsilon ? line.left : most;
  return most;
}

Result<LedgerShow> with_counts(LedgerShow show, const std::vector<std::int64_t>& within) {
  const Balance whole = show.reading.balance();
  const ledger::Rules& rules = show.reading.rules;
  const ledger::Opening opening = release::opening_of(show.reading.catalog.budget);
  VERNIER_TRY(const std::vector<Ways> counts,
              !within.empty() ? asked_counts(rules, within, opening)
                              : release::affordable_counts(rules, {greatest_left(show), whole.is_open, whole.most},
                                                           usual_alpha(), opening));
  for (const Ways& ways : counts) show.accuracies.push_back(ways.front().accuracy);
  if (!show.has_shares) show.capacity.push_back(capacity_of(show.reading, "", whole.left, counts));
  for (const AnalystLine& line : show.analysts) {
    if (!show.has_shares || line.most == Cost{}) continue;
    show.capacity.push_back(capacity_of(show.reading, line.name, line.left, counts));
  }
  return show;
}

// The last entries that were asked for, as they come.
class History {
 public:
  History(std::optional<std::string> analyst, std::size_t most) : analyst_(std::move(analyst)), most_(most) {}

  Result<void> see(const Entry& entry) {
    if (entry.kind == ledger::Kind::settle) answered_.insert(entry.release);
    if (!is_asked_for(entry)) return {};
    entries_.push_back(entry);
    if (entries_.size() > most_) entries_.pop_front();
    return {};
  }

  const std::deque<Entry>& entries() const { return entries_; }
  bool was_answered(const Entry& entry) const { return answered_.contains(entry.release); }

 private:
  // What the analyst paid for, and its answers.
  bool is_asked_for(const Entry& entry) {
    if (!analyst_) return true;
    if (entry.kind == ledger::Kind::reserve && entry.analyst == *analyst_) releases_.insert(entry.release);
    return !entry.release.empty() && releases_.contains(entry.release);
  }

  std::optional<std::string> analyst_;
  std::size_t most_;
  std::set<std::string, std::less<>> releases_;
  std::set<std::string, std::less<>> answered_;
  std::deque<Entry> entries_;
};

}  // namespace

ledger::Balance LedgerReading::balance() const {
  return book ? book->balance() : ledger::Balance{rules.quanta.budget(), false, rules.quanta.budget()};
}

Result<void> go_on(const Progress& progress, double done) {
  if (progress(done)) return {};
  return fail(ErrorKind::stopped, "reading the ledger was stopped", "nothing was changed");
}

Result<LedgerReading> read_ledger(const Text& text, const Progress& progress, const Transaction::Visit& visit) {
  query::Reading<query::Catalog> catalog = query::examine_catalog_text(text.path, text.text);
  if (!catalog.content) return Failure(query::problems_in(text.path, catalog.problems));
  VERNIER_TRY(ledger::Rules rules, ledger::rules_of(release::terms_of(*catalog.content)));
  const std::string name = release::ledger_name(*catalog.content);
  LedgerReading reading{.catalog = *std::move(catalog.content), .name = name, .rules = std::move(rules)};
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store,
              release::open_store(reading.catalog, ledger::Missing::is_none));
  if (!store) return without_a_ledger(std::move(reading));
  // What a ledger or its witness says is no matter of usage.
  return replay_into(reading, *store, progress, visit)
      .map([&] { return std::move(reading); })
      .map_error([](Error error) {
        error.kind = ErrorKind::system;
        return error;
      });
}

Result<LedgerShow> ledger_show(const Text& catalog, const std::vector<std::int64_t>& within, const Progress& progress) {
  VERNIER_TRY(LedgerReading reading, read_ledger(catalog, progress));
  const ledger::Shares shares = release::shares_of(reading.catalog.budget);
  std::vector<AnalystLine> analysts = lines_of(reading, shares);
  const Cost reserve = shares.empty() ? Cost{} : reserve_of(reading.balance().most, analysts);
  const Cost conversion = reading.balance().is_open ? reading.rules.opening : Cost{};
  LedgerShow show{std::move(reading), !shares.empty(), std::move(analysts), reserve, conversion, {}, {}};
  return with_counts(std::move(show), within);
}

Result<LedgerHistory> ledger_history(const Text& catalog, const HistoryRequest& request, const Progress& progress) {
  History history(request.analyst, request.last);
  VERNIER_TRY(LedgerReading reading,
              read_ledger(catalog, progress, [&](const Entry& entry) { return history.see(entry); }));
  std::vector<HistoryLine> lines;
  for (const Entry& entry : history.entries()) lines.push_back({entry, history.was_answered(entry)});
  return LedgerHistory{std::move(reading), std::move(lines)};
}

}  // namespace vernier::study
