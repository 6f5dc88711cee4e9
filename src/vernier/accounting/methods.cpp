#include "vernier/accounting/methods.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "vernier/accounting/cells/cell_sum.hpp"
#include "vernier/accounting/composition.hpp"
#include "vernier/accounting/divergences.hpp"
#include "vernier/accounting/event.hpp"
#include "vernier/accounting/event_parts.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/fourier/total_loss.hpp"
#include "vernier/accounting/loss_sum.hpp"
#include "vernier/accounting/optimal.hpp"
#include "vernier/accounting/rdp.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

template <class Kind>
bool has(std::span<const Event> events) {
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return std::holds_alternative<Kind>(event.release()); });
}

}  // namespace

std::optional<std::string_view> why_apart(const Bounds& bounds, Figure figure, std::span<const Event> events) {
  if (bounds.upper - bounds.lower <= loose * bounds.upper) return std::nullopt;
  if (figure == Figure::epsilon && bounds.upper <= least_epsilon_told)
    return "An epsilon of at most 1e-9 is not told apart from 0 any further.";
  if (figure == Figure::delta && bounds.upper <= least_delta_told)
    return "A delta of at most 1e-250 is not told apart from 0 any further.";
  if (has<ZcdpStatement>(events)) {
    return "A zCDP statement fits many releases: the upper end holds for all of them, the lower end is that of "
           "Gaussian noise, and nobody knows the worst.";
  }
  if (has<KeySelection>(events)) {
    return "A key may come out because of one unit alone: the upper end counts that chance, the lower end takes keys "
           "that others have too.";
  }
  if (has<Choice>(events)) {
    return "A choice fits many pairs of candidates: the upper end holds for all of them, the lower end is that of two "
           "candidates, and nobody knows the worst of many.";
  }
  return "The sum of these losses is not resolved more closely in the time that an answer may take; the upper end "
         "holds as it is.";
}

}  // namespace vernier::accounting

namespace vernier::accounting::method {
namespace {

constexpr double negligible = 1e-10;  // of a delta

std::optional<std::vector<Statement>> statements_of(std::span<const Event> events) {
  std::vector<Statement> all;
  for (const Event& event : grouped(events)) {
    const std::optional<Statement> one = statement_of(event);
    if (!one) return std::nullopt;
    all.push_back(*one);
  }
  return all;
}

Upper if_finite(double value) { return std::isfinite(value) ? Upper(value) : std::nullopt; }

Upper value_of(const Result<double>& result) { return result ? if_finite(*result) : std::nullopt; }

// The rho of the whole list, and the delta that is spent beside it.
struct ConcentratedTotal {
  double rho;
  double delta;
};

std::optional<ConcentratedTotal> concentrated_total(std::span<const Event> events) {
  std::vector<ZcdpPart> parts;
  AnyFailure failures;
  for (const Event& event : grouped(events)) {
    const std::optional<Concentrated> one = concentrated(event);
    if (!one) return std::nullopt;
    parts.push_back({one->rho, one->times});
    failures.add({one->delta, one->delta}, one->times);
  }
  const double rho = sum_of_rhos(parts);
  if (!std::isfinite(rho)) return std::nullopt;
  return ConcentratedTotal{rho, failures.chance().upper};
}

Result<LossSum> sum_of(std::span<const Event> events, Direction direction, End end, double least_delta) {
  return parts_of(events, direction, end, least_delta).map([](std::vector<LossPart> parts) {
    return LossSum(std::move(parts));
  });
}

// Both ends from one sum where its laws are exact, else each from its own.
template <class Ask>
Result<Bounds> in_direction(std::span<const Event> events, Direction direction, double least_delta, const Ask& ask) {
  const Result<Bounds> upper = sum_of(events, direction, End::upper, least_delta).and_then(ask);
  if (!upper || is_exact(events)) return upper;
  return sum_of(events, direction, End::lower, least_delta).and_then(ask).map([&](const Bounds& lower) {
    return Bounds{lower.lower, upper->upper};
  });
}

constexpr double hardly_told = 0.5;

bool are_within(const Result<Bounds>& bounds, double share) {
  return bounds && std::isfinite(bounds->upper) && bounds->upper - bounds->lower <= share * bounds->upper;
}

// Both are proven: the closer of each end.
Bounds closer(const Bounds& one, const std::optional<Bounds>& other) {
  return other ? Bounds{std::max(one.lower, other->lower), std::min(one.upper, other->upper)} : one;
}

// One of the two questions about the summed loss, in either way.
template <class ByFrequencies, class ByCells>
struct Question {
  std::span<const Event> events;
  double least_delta;
  double tightness;              // relative to the figure
  double nothing;                // figures from here down need not be closer
  ByFrequencies by_frequencies;  // of a LossSum and the work it may take
  ByCells by_cells;              // of a direction and the effort

  // As closely as asked in the way that takes least, and else as closely as the work allows: frequencies are quick for
  // many releases, and cells for few.
  Result<Bounds> in(Direction direction) const {
    if (!is_exact(events)) return of_statements(direction);
    Result<Bounds> found = frequencies(direction, LossSum::little_work);
    if (!found || is_done(found, tightness)) return found;
    found = closer(*found, by_cells(direction, cells::Effort::quick));
    if (is_done(found, tightness)) return found;
    const double work = are_within(found, loose) ? LossSum::some_work : LossSum::usual_work;
    return frequencies(direction, work).map([&](const Bounds& again) { return closer(*found, again); });
  }

  // Statements and private keys keep the ends apart, however closely losses are added: cells are for ends that say
  // next to nothing. Plans with private keys need theirs as close as they can be; the law of zCDP statements, with its
  // many atoms, is left earlier.
  Result<Bounds> of_statements(Direction direction) const {
    const bool has_keys_alone = has<KeySelection>(events) && !has<ZcdpStatement>(events);
    const double great_work = LossSum::great_work / static_cast<double>(directions(events).size());
    const Result<Bounds> found = frequencies(direction, has_keys_alone ? great_work : LossSum::usual_work);
    if (!found || is_done(found, hardly_told)) return found;
    return closer(*found, by_cells(direction, cells::Effort::quick));
  }

  bool is_done(const Result<Bounds>& found, double share) const {
    return are_within(found, share) || (found && found->upper <= nothing);
  }

  // How far apart ends may be before all the work is done that is allowed.
  double loosest() const { return std::max(tightness, is_exact(events) ? loose : hardly_told); }

  Result<Bounds> frequencies(Direction direction, double work) const {
    return in_direction(events, direction, least_delta,
                        [&](const LossSum& sum) -> Result<Bounds> { return by_frequencies(sum, work); });
  }
};

struct Directed {
  Direction direction;
  Result<Bounds> found;
};

// The larger of both directions, end by end; the error of one that has none.
Result<Bounds> worse_of(const std::vector<Directed>& all) {
  Bounds worse{0, 0};
  for (const Directed& one : all) {
    if (!one.found) return one.found;
    worse = {std::max(worse.lower, one.found->lower), std::max(worse.upper, one.found->upper)};
  }
  return worse;
}

template <class AnyQuestion>
Result<Bounds> in_worse_direction(const AnyQuestion& question) {
  std::vector<Directed> all;
  for (const Direction direction : directions(question.events)) all.push_back({direction, question.in(direction)});
  for (Directed& one : all) {
    const Result<Bounds> worse = worse_of(all);
    if (!worse || question.is_done(worse, question.loosest())) return worse;
    if (one.found->upper > worse->lower && !question.is_done(one.found, question.loosest())) {
      one.found = closer(*one.found, question.by_cells(one.direction, cells::Effort::thorough));
    }
  }
  return worse_of(all);
}

}  // namespace

Result<Bounds> pure_epsilon(std::span<const Event> events) {
  const auto statements = statements_of(events);
  if (!statements || any_failure(*statements).upper > 0) {
    return invalid(
        "delta is 0, but an event gives no guarantee without a delta, so no epsilon holds; give a delta above 0");
  }
  return sum_of_epsilons(*statements);
}

Upper basic_epsilon(std::span<const Event> events, double delta) {
  const auto statements = statements_of(events);
  if (!statements) return std::nullopt;
  const BasicTotal total = basic_total(*statements);
  return total.delta <= delta ? if_finite(total.epsilon) : std::nullopt;
}

Upper basic_delta(std::span<const Event> events, double epsilon) {
  const auto statements = statements_of(events);
  if (!statements) return std::nullopt;
  const BasicTotal total = basic_total(*statements);
  return total.epsilon <= epsilon ? Upper(std::min(total.delta, 1.0)) : std::nullopt;
}

Upper advanced_epsilon(std::span<const Event> events, double delta) {
  const auto statements = statements_of(events);
  if (!statements || delta == 0) return std::nullopt;
  return value_of(accounting::advanced_epsilon(*statements, delta));
}

Upper advanced_delta(std::span<const Event> events, double epsilon) {
  const auto statements = statements_of(events);
  return statements ? Upper(accounting::advanced_delta(*statements, epsilon)) : std::nullopt;
}

Upper zcdp_epsilon(std::span<const Event> events, double delta) {
  const auto total = concentrated_total(events);
  if (!total || delta == 0) return std::nullopt;
  return value_of(accounting::zcdp_epsilon(total->rho, delta, total->delta));
}

Upper zcdp_delta(std::span<const Event> events, double epsilon) {
  const auto total = concentrated_total(events);
  return total ? Upper(accounting::zcdp_delta(total->rho, epsilon, total->delta)) : std::nullopt;
}

// A loss is infinite with a chance of its own, which is taken off delta first.
Upper rdp_epsilon(std::span<const Event> events, double delta) {
  const auto divergences = Divergences::of(events);
  if (!divergences || !(delta > divergences->infinite())) return std::nullopt;
  const double rest = numeric::subtract_down(delta, divergences->infinite());
  return value_of(accounting::rdp_epsilon(std::cref(*divergences), rest).map(&RdpFigure::figure));
}

Upper rdp_delta(std::span<const Event> events, double epsilon) {
  const auto divergences = Divergences::of(events);
  if (!divergences) return std::nullopt;
  const double finite = accounting::rdp_delta(std::cref(*divergences), epsilon).figure;
  return std::min(1.0, numeric::add_up(finite, divergences->infinite()));
}

std::optional<Result<Bounds>> optimal_epsilon(std::span<const Event> events, double delta) {
  const auto statements = statements_of(events);
  if (!statements) return std::nullopt;
  const std::optional<OptimalComposition> optimal = OptimalComposition::of(*statements);
  return optimal ? std::optional(optimal->epsilon(delta)) : std::nullopt;
}

std::optional<Bounds> optimal_delta(std::span<const Event> events, double epsilon) {
  const auto statements = statements_of(events);
  if (!statements) return std::nullopt;
  const std::optional<OptimalComposition> optimal = OptimalComposition::of(*statements);
  return optimal ? std::optional(optimal->delta(epsilon)) : std::nullopt;
}

Result<Bounds> loss_epsilon(std::span<const Event> events, double delta, double tightness) {
  return in_worse_direction(Question{
      events, negligible * delta, tightness, least_epsilon_told,
      [&](const LossSum& sum, double work) { return sum.epsilon(delta, tightness, work); },
      [&](Direction direction, cells::Effort effort) { return cells::epsilon(events, direction, delta, effort); }});
}

Result<Bounds> loss_delta(std::span<const Event> events, double epsilon, double tightness) {
  const double about = zcdp_delta(events, epsilon).value_or(1e-20);
  return in_worse_direction(Question{
      events, negligible * about, LossSum::most_delta_gap * tightness, least_delta_told,
      [&](const LossSum& sum, double work) { return sum.delta(epsilon, tightness, work); },
      [&](Direction direction, cells::Effort effort) { return cells::delta(events, direction, epsilon, effort); }});
}

}  // namespace vernier::accounting::method
