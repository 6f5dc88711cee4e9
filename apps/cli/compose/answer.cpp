#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/compose/compose.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/accounting/solve_scale.hpp"

namespace vernier::cli {
namespace {

using accounting::Accountant;
using accounting::Guarantee;
using privacy::Delta;
using privacy::Epsilon;

bool is_exact(const std::optional<Decimal>& written) { return !written || written->down == written->up; }

// Nothing was rounded, so that the upper end's events are the lower end's too.
bool is_exact(const ComposeRequest& request) {
  const auto event_is_exact = [](const StatedEvent& event) {
    return is_exact(event.scale) && is_exact(event.sensitivity) && is_exact(event.sampling) &&
           is_exact(event.epsilon) && is_exact(event.delta) && is_exact(event.rho);
  };
  return is_exact(request.epsilon) && is_exact(request.delta) &&
         std::all_of(request.events.begin(), request.events.end(), event_is_exact);
}

// Both ends of one figure: the upper one of the events of worse privacy at a number rounded down, the lower one of
// those of better privacy at that number rounded up.
template <class Parameter, class Ask>
Result<Guarantee> between(const ComposeRequest& request, const Accountant& worse, double scale, const Decimal& written,
                          const Ask& ask) {
  const Result<Guarantee> upper =
      rounded_down<Parameter>(written).and_then([&](Parameter asked) { return ask(worse, asked); });
  if (!upper || is_exact(request)) return upper;
  VERNIER_TRY(const Accountant better, accountant_for(End::lower, request.events, scale));
  return rounded_up<Parameter>(written)
      .and_then([&](Parameter asked) { return ask(better, asked); })
      .map([&](const Guarantee& lower) {
        return Guarantee{{lower.bounds.lower, upper->bounds.upper}, upper->method};
      });
}

Result<Guarantee> refuse_infinite(const Guarantee& found) {
  if (std::isfinite(found.bounds.upper)) return found;
  return fail(
      ErrorKind::exhausted,
      "no finite epsilon can be certified at this delta; give a larger one, or ask for the delta at an epsilon");
}

Result<Guarantee> epsilon_of(const ComposeRequest& request, const Accountant& worse, double scale) {
  return between<Delta>(request, worse, scale, *request.delta, [&](const Accountant& accountant, Delta delta) {
    return accountant.epsilon(delta, request.tightness).and_then(refuse_infinite);
  });
}

Result<Guarantee> delta_of(const ComposeRequest& request, const Accountant& worse, double scale) {
  return between<Epsilon>(request, worse, scale, *request.epsilon, [&](const Accountant& accountant, Epsilon epsilon) {
    return accountant.delta(epsilon, request.tightness);
  });
}

// An infinite bound says as little as none.
std::vector<accounting::MethodFigure> finite(std::vector<accounting::MethodFigure> methods) {
  for (accounting::MethodFigure& figure : methods) {
    if (figure.upper && std::isinf(*figure.upper)) figure.upper.reset();
  }
  return methods;
}

Result<std::vector<accounting::MethodFigure>> methods_of(const ComposeRequest& request, const Accountant& worse,
                                                         const Guarantee& known) {
  if (request.delta) {
    return rounded_down<Delta>(*request.delta).map([&](Delta delta) {
      return finite(worse.epsilons(delta, request.tightness, known));
    });
  }
  return rounded_down<Epsilon>(*request.epsilon).map([&](Epsilon epsilon) {
    return finite(worse.deltas(epsilon, request.tightness, known));
  });
}

// The least of all that was proven, but for a difference of rounding.
void take_best_method(Guarantee& found, const std::vector<accounting::MethodFigure>& methods) {
  constexpr double a_tie = 1e-9;
  for (const accounting::MethodFigure& figure : methods) {
    if (figure.upper && *figure.upper < (1 - a_tie) * found.bounds.upper)
      found = {{found.bounds.lower, *figure.upper}, figure.method};
  }
}

// The scale was chosen so that delta is met at the epsilon asked: that proves this epsilon, whatever the search for an
// epsilon at this delta found.
void take_solved_epsilon(ComposeAnswer& answer, double asked) {
  const accounting::Method method = answer.delta->method;
  if (asked < answer.epsilon->bounds.upper) answer.epsilon = Guarantee{{answer.epsilon->bounds.lower, asked}, method};
  for (accounting::MethodFigure& figure : answer.methods) {
    if (figure.method == method && figure.upper) figure.upper = std::min(*figure.upper, asked);
  }
}

Result<ComposeAnswer> answer_at(const ComposeRequest& request, std::optional<double> found) {
  const double scale = found.value_or(1);
  VERNIER_TRY(const Accountant worse, accountant_for(End::upper, request.events, scale));
  ComposeAnswer answer{.scale = found};
  if (request.delta) {
    VERNIER_TRY(const Guarantee epsilon, epsilon_of(request, worse, scale));
    answer.epsilon = epsilon;
  }
  if (request.epsilon) {
    VERNIER_TRY(const Guarantee delta, delta_of(request, worse, scale));
    answer.delta = delta;
  }
  VERNIER_TRY(std::vector<accounting::MethodFigure> methods, methods_of(request, worse, answer.figure()));
  take_best_method(answer.figure(), methods);
  answer.methods = std::move(methods);
  if (request.solves()) take_solved_epsilon(answer, request.epsilon->down);
  const auto found_figure = answer.epsilon ? accounting::Figure::epsilon : accounting::Figure::delta;
  answer.why_apart = accounting::why_apart(answer.figure().bounds, found_figure, worse.events());
  return answer;
}

// The scales that every open event can take.
accounting::ScaleRange scales_of(const ComposeRequest& request) {
  const bool over_integers = std::any_of(request.events.begin(), request.events.end(), [](const StatedEvent& event) {
    return event.is_open() && event.is_over_integers();
  });
  return over_integers ? accounting::integer_scales : accounting::real_scales;
}

Result<double> scale_for(const ComposeRequest& request) {
  VERNIER_TRY(const Epsilon epsilon, rounded_down<Epsilon>(*request.epsilon));
  return rounded_down<Delta>(*request.delta).and_then([&](Delta delta) {
    const auto at = [&](double scale) { return accountant_for(End::upper, request.events, scale); };
    return accounting::solve_scale(at, scales_of(request), epsilon, delta, request.tightness);
  });
}

}  // namespace

Result<Accountant> accountant_for(End end, const std::vector<StatedEvent>& events, double open_scale) {
  std::vector<accounting::Event> rounded;
  rounded.reserve(events.size());
  for (const StatedEvent& event : events) {
    VERNIER_TRY(const accounting::Event built, event_for(end, event, open_scale));
    rounded.push_back(built);
  }
  return Accountant::of(std::move(rounded));
}

Result<ComposeAnswer> answer_to(const ComposeRequest& request) {
  if (!request.solves()) return answer_at(request, std::nullopt);
  return scale_for(request).and_then([&](double scale) { return answer_at(request, scale); });
}

}  // namespace vernier::cli
