#include "cli/ledger/show.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/progress.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

using ledger::Balance;
using ledger::Cost;

constexpr std::int64_t greatest_within = 1'000'000'000'000;

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
      return invalid(fmt::format("--within must be a whole number from 1 to 1e12, but it is '{}'", accuracy));
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

Result<std::vector<std::int64_t>> asked_within(const Arguments& arguments) {
  std::vector<std::int64_t> within;
  if (!arguments.has("--within")) return within;
  for (const std::string& text : arguments.all("--within")) {
    VERNIER_TRY(const std::int64_t accuracy, read_whole("--within", text));
    within.push_back(accuracy);
  }
  return within;
}

}  // namespace

Result<LedgerShow> ledger_show(const LocatedText& catalog, const std::vector<std::int64_t>& within,
                               const Progress& progress) {
  VERNIER_TRY(LedgerReading reading, read_ledger(catalog, progress));
  const ledger::Shares shares = release::shares_of(reading.catalog.budget);
  std::vector<AnalystLine> analysts = lines_of(reading, shares);
  const Cost reserve = shares.empty() ? Cost{} : reserve_of(reading.balance().most, analysts);
  const Cost conversion = reading.balance().is_open ? reading.rules.opening : Cost{};
  LedgerShow show{std::move(reading), !shares.empty(), std::move(analysts), reserve, conversion, {}, {}};
  return with_counts(std::move(show), within);
}

Result<void> run_ledger_show(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const LocatedText catalog, located_text(arguments.object));
  VERNIER_TRY(const std::vector<std::int64_t> within, asked_within(arguments));
  ProgressBar bar(stderr, "replaying");
  VERNIER_TRY(const LedgerShow show, ledger_show(catalog, within, bar.shown()));
  arguments.has("--json") ? write_ledger_json(output, show) : write_ledger_report(output, show);
  return {};
}

}  // namespace vernier::cli
