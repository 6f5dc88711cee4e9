#include "vernier/accounting/event_statement.hpp"

#include <variant>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/key_rule.hpp"
#include "vernier/accounting/loss/sampled_curve.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using mechanism::DiscreteGaussianMechanism;
using mechanism::GaussianMechanism;
using mechanism::GeometricMechanism;
using mechanism::LaplaceMechanism;
using std::nullopt;

Bounds quotient(double a, double b) { return {numeric::divide_down(a, b), numeric::divide_up(a, b)}; }

Bounds pure_epsilon(const LaplaceMechanism& mechanism) {
  return quotient(mechanism.sensitivity().value(), mechanism.law().scale());
}

Bounds pure_epsilon(const GeometricMechanism& mechanism) {
  return quotient(static_cast<double>(mechanism.sensitivity().value()), mechanism.law().scale());
}

std::optional<Statement> unsampled(const Event& event) {
  using Found = std::optional<Statement>;
  return std::visit(Overloaded{
                        [](const LaplaceMechanism& mechanism) -> Found { return Statement{pure_epsilon(mechanism)}; },
                        [](const GeometricMechanism& mechanism) -> Found { return Statement{pure_epsilon(mechanism)}; },
                        [](const PureStatement& pure) -> Found {
                          return Statement{{pure.epsilon.value(), pure.epsilon.value()}};
                        },
                        [](const ApproximateStatement& stated) -> Found {
                          return Statement{{stated.epsilon.value(), stated.epsilon.value()}, stated.delta.value()};
                        },
                        [](const Choice& choice) -> Found {
                          return Statement{{choice.epsilon.value(), choice.epsilon.value()}};
                        },
                        [](const KeySelection& keys) -> Found {
                          const auto* const geometric = std::get_if<GeometricMechanism>(&keys.noise());
                          if (geometric == nullptr) return nullopt;
                          return Statement{pure_epsilon(*geometric), escape_probability(keys).upper};
                        },
                        [](const GaussianMechanism&) -> Found { return nullopt; },
                        [](const DiscreteGaussianMechanism&) -> Found { return nullopt; },
                        [](const ZcdpStatement&) -> Found { return nullopt; },
                    },
                    event.release());
}

Statement amplified(const Statement& whole, privacy::SamplingRate rate) {
  return {sampled_epsilon(whole.epsilon, rate), numeric::multiply_up(rate.value(), whole.delta)};
}

}  // namespace

double copies(const Event& event) {
  const auto times = static_cast<double>(event.times().value());
  const auto* const keys = std::get_if<KeySelection>(&event.release());
  return keys == nullptr ? times : times * touched_keys(*keys, event.neighbours());
}

std::optional<Statement> statement_of(const Event& event) {
  std::optional<Statement> found = unsampled(event);
  if (!found) return found;
  if (!event.sampling().is_everyone()) found = amplified(*found, event.sampling());
  found->times = copies(event);
  return found;
}

bool is_its_statement(const Event& event) {
  if (!event.sampling().is_everyone()) return false;
  const auto* const geometric = std::get_if<GeometricMechanism>(&event.release());
  if (geometric != nullptr) return geometric->sensitivity().value() == 1;
  return std::holds_alternative<PureStatement>(event.release()) ||
         std::holds_alternative<ApproximateStatement>(event.release());
}

std::optional<Concentrated> concentrated(const Event& event) {
  if (!event.sampling().is_everyone()) return nullopt;
  const double times = copies(event);
  if (const auto* const choice = std::get_if<Choice>(&event.release())) {
    return Concentrated{rho_of_pure(choice->epsilon.value()) / 4, 0, times};  // a range of epsilon: loss/choice_loss.md
  }
  if (const std::optional<Statement> stated = statement_of(event)) {
    return Concentrated{rho_of_pure(stated->epsilon.upper), stated->delta, times};
  }
  using Found = std::optional<Concentrated>;
  return std::visit(Overloaded{
                        [&](const GaussianMechanism& mechanism) -> Found {
                          return Concentrated{mechanism.rho().upper, 0, times};
                        },
                        [&](const DiscreteGaussianMechanism& mechanism) -> Found {
                          return Concentrated{mechanism.rho().upper, 0, times};
                        },
                        [&](const ZcdpStatement& stated) -> Found {
                          return Concentrated{stated.rho.value(), 0, times};
                        },
                        [&](const KeySelection& keys) -> Found {
                          const auto* const noise = std::get_if<DiscreteGaussianMechanism>(&keys.noise());
                          if (noise == nullptr) return nullopt;
                          return Concentrated{noise->rho().upper, escape_probability(keys).upper, times};
                        },
                        [](const auto&) -> Found { return nullopt; },
                    },
                    event.release());
}

}  // namespace vernier::accounting
