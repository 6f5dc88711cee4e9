#include "support/composition_verdict.hpp"

#include <algorithm>
#include <variant>

#include "vernier/core/text.hpp"

namespace vernier::test {
namespace {

using accounting::Event;

constexpr std::size_t most_sentences = 20;
constexpr double one_percent = 1.01;
constexpr double tiny_epsilon = 1e-9;  // below this nobody cares how tight it is, nor where delta is above a half

struct Words {
  std::string operator()(const mechanism::LaplaceMechanism& release) const {
    return "laplace scale=" + shortest(release.law().scale()) +
           " sensitivity=" + shortest(release.sensitivity().value());
  }
  std::string operator()(const mechanism::GaussianMechanism& release) const {
    return "gaussian scale=" + shortest(release.law().scale()) +
           " sensitivity=" + shortest(release.sensitivity().value());
  }
  std::string operator()(const mechanism::GeometricMechanism& release) const {
    return "geometric scale=" + shortest(release.law().scale()) +
           " sensitivity=" + std::to_string(release.sensitivity().value());
  }
  std::string operator()(const mechanism::DiscreteGaussianMechanism& release) const {
    return "discrete-gaussian scale=" + shortest(release.law().scale()) +
           " sensitivity=" + std::to_string(release.sensitivity().value());
  }
  std::string operator()(const accounting::PureStatement& release) const {
    return "pure epsilon=" + shortest(release.epsilon.value());
  }
  std::string operator()(const accounting::ApproximateStatement& release) const {
    return "approximate epsilon=" + shortest(release.epsilon.value()) + " delta=" + shortest(release.delta.value());
  }
  std::string operator()(const accounting::ZcdpStatement& release) const {
    return "zcdp rho=" + shortest(release.rho.value());
  }
  std::string operator()(const accounting::KeySelection&) const { return "key selection"; }
  std::string operator()(const accounting::Choice& release) const {
    return "choice epsilon=" + shortest(release.epsilon.value());
  }
};

std::string told(const Bounds& bounds) { return shortest(bounds.lower) + " to " + shortest(bounds.upper); }

void tell(Verdict& verdict, int& counter, const std::string& what) {
  ++counter;
  if (verdict.sentences.size() < most_sentences) verdict.sentences.push_back(what);
}

}  // namespace

std::string described(const std::vector<Event>& events) {
  std::string all;
  for (const Event& event : events) {
    if (!all.empty()) all.append("; ");
    all.append(std::visit(Words{}, event.release()));
    all.append(" times=").append(std::to_string(event.times().value()));
    all.append(" sampling=").append(shortest(event.sampling().value()));
  }
  return all;
}

std::string Verdict::told() const {
  std::string all;
  for (const std::string& sentence : sentences) all += sentence + "\n";
  return all;
}

AnyAccountant certified_accountant(accounting::Tightness tightness) {
  using accounting::Accountant;
  const auto bounds = [](const Result<accounting::Guarantee>& found) {
    return found ? std::optional(found->bounds) : std::nullopt;
  };
  return {[=](const std::vector<Event>& events, double delta) {
            return bounds(Accountant::of(events)->epsilon(*privacy::Delta::of(delta), tightness));
          },
          [=](const std::vector<Event>& events, double epsilon) {
            return bounds(Accountant::of(events)->delta(*privacy::Epsilon::of(epsilon), tightness));
          }};
}

// delta falls as epsilon rises, so an epsilon is judged by the exact delta at the very double that was answered.
void judge_epsilon(Verdict& verdict, const AnyAccountant& accountant, const Composition& composition,
                   double tightness) {
  ++verdict.questions;
  const double delta = composition.delta;
  const std::string asked = "epsilon at delta " + shortest(delta) + " of " + described(composition.events);
  const std::optional<Bounds> found = accountant.epsilon(composition.events, delta);
  if (!found) return tell(verdict, verdict.refused, "refused: " + asked);
  const std::string answer = asked + ": " + told(*found);
  const auto& [lower, upper] = *found;
  if (composition.reference(upper).lower > delta) tell(verdict, verdict.optimistic, "optimistic: " + answer);
  if (lower > 0 && composition.reference(lower).upper < delta)
    tell(verdict, verdict.overclaimed, "overclaimed: " + answer);
  if (upper < tiny_epsilon) return;
  if (composition.is_exact && composition.reference(upper / one_percent).upper < delta) {
    tell(verdict, verdict.loose, "loose: " + answer);
  }
  if (upper > one_percent * lower) {
    tell(verdict, verdict.wide, "wide: " + answer);
  } else if (upper - lower > tightness * upper) {
    ++verdict.slack;
  }
}

void judge_delta(Verdict& verdict, const AnyAccountant& accountant, const Composition& composition, double epsilon) {
  ++verdict.questions;
  const std::string asked = "delta at epsilon " + shortest(epsilon) + " of " + described(composition.events);
  const std::optional<Bounds> found = accountant.delta(composition.events, epsilon);
  if (!found) return tell(verdict, verdict.refused, "refused: " + asked);
  const Bounds exact = composition.reference(epsilon);
  const std::string answer = asked + ": " + told(*found) + ", exactly in " + told(exact);
  if (exact.lower > found->upper) tell(verdict, verdict.optimistic, "optimistic: " + answer);
  if (exact.upper < found->lower) tell(verdict, verdict.overclaimed, "overclaimed: " + answer);
  if (exact.upper < 1e-290 || exact.lower > 0.5) return;
  if (composition.is_exact && found->upper > one_percent * exact.upper)
    tell(verdict, verdict.loose, "loose: " + answer);
  if (found->upper > one_percent * found->lower) tell(verdict, verdict.wide, "wide: " + answer);
}

}  // namespace vernier::test
