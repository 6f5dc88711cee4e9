#include "vernier/accounting/accountant.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "vernier/accounting/closed_form.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/core/text.hpp"

namespace vernier::accounting {
namespace {

constexpr double tightest = 1e-9, loosest = 0.1;

bool are_their_statements(const std::vector<Event>& events) {
  return std::all_of(events.begin(), events.end(), is_its_statement);
}

bool has_zcdp_statement(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return std::holds_alternative<ZcdpStatement>(event.release()); });
}

Result<Guarantee> guarantee(const Result<Bounds>& bounds, Method method) {
  return bounds.map([&](const Bounds& found) { return Guarantee{found, method}; });
}

// The lesser upper end of the two; a method that only bounds from above leaves the lower end as it is.
Guarantee lesser(const Guarantee& best, const std::optional<double>& upper, Method method) {
  if (!upper || *upper >= best.bounds.upper) return best;
  return {{best.bounds.lower, *upper}, method};
}

// So far apart that another method may be better: a few releases on a very small sample have a tail in which the law of
// the loss cannot be resolved.
bool is_wide(const Bounds& bounds) { return bounds.upper > 1.1 * bounds.lower; }

std::optional<double> upper_of(const std::optional<Result<Bounds>>& found) {
  return found && *found ? std::optional((*found)->upper) : std::nullopt;
}
std::optional<double> upper_of(const std::optional<Bounds>& found) {
  return found ? std::optional(found->upper) : std::nullopt;
}
std::optional<double> upper_of(const Result<Bounds>& found) {
  return found ? std::optional(found->upper) : std::nullopt;
}

}  // namespace

std::string_view name_of(Method method) {
  constexpr std::array<std::string_view, 7> names = {"basic", "advanced",          "optimal",    "zcdp",
                                                     "rdp",   "loss-distribution", "closed-form"};
  return names[static_cast<std::size_t>(method)];
}

Result<Tightness> Tightness::of(double value) {
  if (value >= tightest && value <= loosest) return Tightness(value);
  return invalid("the tightness must be a number between " + shortest(tightest) + " and " + shortest(loosest) +
                 ", but it is " + shortest(value));
}

Result<Accountant> Accountant::of(std::vector<Event> events) {
  if (events.empty()) return invalid("there is no event to account for; give at least one");
  const bool are_alike = std::all_of(events.begin(), events.end(), [&](const Event& event) {
    return event.neighbours() == events.front().neighbours();
  });
  if (!are_alike) {
    return invalid(
        "the events have different neighbours, add-remove and replace, and no guarantee covers both; state all of them "
        "under one relation, with the sensitivities that it gives");
  }
  return Accountant(std::move(events));
}

Result<Guarantee> Accountant::epsilon(privacy::Delta delta, Tightness tightness) const {
  if (const auto closed = ClosedForm::of(events_)) return guarantee(closed->epsilon(delta), Method::closed_form);
  if (delta.is_pure()) return guarantee(method::pure_epsilon(events_), Method::basic);
  if (are_their_statements(events_)) {
    if (const auto optimal = method::optimal_epsilon(events_, delta.value()))
      return guarantee(*optimal, Method::optimal);
  }
  const Result<Guarantee> by_loss =
      guarantee(method::loss_epsilon(events_, delta.value(), tightness.value()), Method::loss_distribution);
  if (!by_loss) return by_loss;
  Guarantee best = *by_loss;
  if (has_zcdp_statement(events_)) best = lesser(best, method::zcdp_epsilon(events_, delta.value()), Method::zcdp);
  if (is_wide(best.bounds)) best = lesser(best, method::rdp_epsilon(events_, delta.value()), Method::rdp);
  return best;
}

Result<Guarantee> Accountant::delta(privacy::Epsilon epsilon, Tightness tightness) const {
  if (const auto closed = ClosedForm::of(events_)) return guarantee(closed->delta(epsilon), Method::closed_form);
  if (are_their_statements(events_)) {
    if (const auto optimal = method::optimal_delta(events_, epsilon.value())) {
      return Guarantee{*optimal, Method::optimal};
    }
  }
  const Result<Guarantee> by_loss =
      guarantee(method::loss_delta(events_, epsilon.value(), tightness.value()), Method::loss_distribution);
  if (!by_loss) return by_loss;
  Guarantee best = *by_loss;
  if (has_zcdp_statement(events_)) best = lesser(best, method::zcdp_delta(events_, epsilon.value()), Method::zcdp);
  if (is_wide(best.bounds)) best = lesser(best, method::rdp_delta(events_, epsilon.value()), Method::rdp);
  return best;
}

std::vector<MethodFigure> Accountant::epsilons(privacy::Delta delta, Tightness tightness) const {
  const double at = delta.value();
  const auto closed = ClosedForm::of(events_);
  return {{Method::basic, method::basic_epsilon(events_, at)},
          {Method::advanced, method::advanced_epsilon(events_, at)},
          {Method::optimal, upper_of(method::optimal_epsilon(events_, at))},
          {Method::zcdp, method::zcdp_epsilon(events_, at)},
          {Method::rdp, method::rdp_epsilon(events_, at)},
          {Method::loss_distribution, upper_of(method::loss_epsilon(events_, at, tightness.value()))},
          {Method::closed_form, closed ? upper_of(closed->epsilon(delta)) : std::nullopt}};
}

std::vector<MethodFigure> Accountant::deltas(privacy::Epsilon epsilon, Tightness tightness) const {
  const double at = epsilon.value();
  const auto closed = ClosedForm::of(events_);
  return {{Method::basic, method::basic_delta(events_, at)},
          {Method::advanced, method::advanced_delta(events_, at)},
          {Method::optimal, upper_of(method::optimal_delta(events_, at))},
          {Method::zcdp, method::zcdp_delta(events_, at)},
          {Method::rdp, method::rdp_delta(events_, at)},
          {Method::loss_distribution, upper_of(method::loss_delta(events_, at, tightness.value()))},
          {Method::closed_form, closed ? std::optional(closed->delta(epsilon).upper) : std::nullopt}};
}

}  // namespace vernier::accounting
