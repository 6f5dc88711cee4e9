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

Result<Guarantee> guarantee(const Result<Bounds>& bounds, Method method) {
  return bounds.map([&](const Bounds& found) { return Guarantee{found, method}; });
}

std::optional<double> upper_of(const Result<Bounds>& found) {
  return found && std::isfinite(found->upper) ? std::optional(found->upper) : std::nullopt;
}
std::optional<double> upper_of(const std::optional<Bounds>& found) {
  return found ? std::optional(found->upper) : std::nullopt;
}
std::optional<double> upper_of(const std::optional<Result<Bounds>>& found) {
  return found ? upper_of(*found) : std::nullopt;
}

constexpr double a_tie = 1e-4;

// Further apart the other methods are asked too: so for zCDP statements, whose law is a bound of its own, and at the
// far ends of what the loss distribution resolves.
bool is_close(const Result<Bounds>& bounds) {
  return bounds && std::isfinite(bounds->upper) && bounds->upper - bounds->lower <= loose * bounds->upper;
}

// The least upper end of all, with the lower end of the loss distribution; its error where no method has any. Of
// figures that differ by a ten-thousandth only the first counts, on every machine: all of them are proven.
Result<Guarantee> least_of(const Result<Bounds>& by_loss, const std::vector<MethodFigure>& others) {
  std::optional<Guarantee> best;
  if (upper_of(by_loss)) best = Guarantee{*by_loss, Method::loss_distribution};
  for (const auto& [method, upper] : others) {
    if (upper && (!best || *upper < (1 - a_tie) * best->bounds.upper))
      best = Guarantee{{by_loss ? by_loss->lower : 0, *upper}, method};
  }
  if (best) return *best;
  if (!by_loss) return Failure(by_loss.error());
  return fail(ErrorKind::exhausted, "no finite epsilon can be certified for these events; add more noise");
}

bool is_by_loss(const std::optional<Guarantee>& known) {
  return known && known->method == Method::loss_distribution && std::isfinite(known->bounds.upper);
}

}  // namespace

std::string_view name_of(Method method) {
  constexpr std::array<std::string_view, 7> names = {"basic", "advanced",          "optimal",    "zcdp",
                                                     "rdp",   "loss-distribution", "closed-form"};
  return names[static_cast<std::size_t>(method)];
}

Result<void> Tightness::check(double value) {
  if (value >= tightest && value <= loosest) return {};
  return invalid(
      "the tightness",
      "must be a number between " + shortest(tightest) + " and " + shortest(loosest) + ", but it is " + shortest(value),
      {});
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
  if (const auto closed = closed_epsilon(delta); closed && *closed) return guarantee(*closed, Method::closed_form);
  if (delta.is_pure()) return guarantee(method::pure_epsilon(events_), Method::basic);
  if (are_their_statements(events_)) {
    if (const auto optimal = method::optimal_epsilon(events_, delta.value()))
      return guarantee(*optimal, Method::optimal);
  }
  const Result<Bounds> by_loss = method::loss_epsilon(events_, delta.value(), tightness.value());
  if (is_close(by_loss)) return guarantee(by_loss, Method::loss_distribution);
  return least_of(by_loss, simple_epsilons(delta));
}

Result<Guarantee> Accountant::delta(privacy::Epsilon epsilon, Tightness tightness) const {
  if (const auto closed = ClosedForm::of(events_)) return guarantee(closed->delta(epsilon), Method::closed_form);
  if (are_their_statements(events_)) {
    if (const auto optimal = method::optimal_delta(events_, epsilon.value())) {
      return Guarantee{*optimal, Method::optimal};
    }
  }
  const Result<Bounds> by_loss = method::loss_delta(events_, epsilon.value(), tightness.value());
  if (is_close(by_loss)) return guarantee(by_loss, Method::loss_distribution);
  return least_of(by_loss, simple_deltas(epsilon));
}

std::optional<Result<Bounds>> Accountant::closed_epsilon(privacy::Delta delta) const {
  const auto closed = ClosedForm::of(events_);
  return closed ? std::optional(closed->epsilon(delta)) : std::nullopt;
}

std::vector<MethodFigure> Accountant::simple_epsilons(privacy::Delta delta) const {
  const double at = delta.value();
  return {{Method::basic, method::basic_epsilon(events_, at)},
          {Method::advanced, method::advanced_epsilon(events_, at)},
          {Method::optimal, upper_of(method::optimal_epsilon(events_, at))},
          {Method::zcdp, method::zcdp_epsilon(events_, at)},
          {Method::rdp, method::rdp_epsilon(events_, at)}};
}

std::vector<MethodFigure> Accountant::simple_deltas(privacy::Epsilon epsilon) const {
  const double at = epsilon.value();
  return {{Method::basic, method::basic_delta(events_, at)},
          {Method::advanced, method::advanced_delta(events_, at)},
          {Method::optimal, upper_of(method::optimal_delta(events_, at))},
          {Method::zcdp, method::zcdp_delta(events_, at)},
          {Method::rdp, method::rdp_delta(events_, at)}};
}

std::vector<MethodFigure> Accountant::epsilons(privacy::Delta delta, Tightness tightness,
                                               const std::optional<Guarantee>& known) const {
  std::vector<MethodFigure> all = simple_epsilons(delta);
  const auto by_loss = [&] { return upper_of(method::loss_epsilon(events_, delta.value(), tightness.value())); };
  all.push_back({Method::loss_distribution, is_by_loss(known) ? known->bounds.upper : by_loss()});
  all.push_back({Method::closed_form, upper_of(closed_epsilon(delta))});
  return all;
}

std::vector<MethodFigure> Accountant::deltas(privacy::Epsilon epsilon, Tightness tightness,
                                             const std::optional<Guarantee>& known) const {
  std::vector<MethodFigure> all = simple_deltas(epsilon);
  const auto closed = ClosedForm::of(events_);
  const auto by_loss = [&] { return upper_of(method::loss_delta(events_, epsilon.value(), tightness.value())); };
  all.push_back({Method::loss_distribution, is_by_loss(known) ? known->bounds.upper : by_loss()});
  all.push_back({Method::closed_form, closed ? std::optional(closed->delta(epsilon).upper) : std::nullopt});
  return all;
}

}  // namespace vernier::accounting
