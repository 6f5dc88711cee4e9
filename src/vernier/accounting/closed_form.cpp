#include "vernier/accounting/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/gaussian_loss.hpp"
#include "vernier/accounting/loss/sampled_curve.hpp"
#include "vernier/mechanism/gaussian_curve.hpp"
#include "vernier/mechanism/tight_epsilon.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using mechanism::GaussianCurve;
using mechanism::GaussianMechanism;
using privacy::PrivacyCurve;

bool is_plain_gaussian(const Event& event) {
  return std::holds_alternative<GaussianMechanism>(event.release()) && event.sampling().is_everyone();
}

// The Gaussian of this mu; none where mu is beyond what the mechanism takes.
std::optional<PrivacyCurve> gaussian_of(double mu) {
  const Result<privacy::L2Sensitivity> sensitivity = privacy::L2Sensitivity::of(mu);
  if (!sensitivity) return std::nullopt;
  return PrivacyCurve(GaussianCurve(*Sigma::of(1), *sensitivity));
}

struct Pair {
  PrivacyCurve upper;
  PrivacyCurve lower;
};

std::optional<Pair> gaussians(std::span<const Event> events) {
  GaussianSum sum;
  for (const Event& event : events) {
    const auto& release = std::get<GaussianMechanism>(event.release());
    sum.add(*Sigma::of(release.law().scale()), release.sensitivity(), static_cast<double>(event.times().value()));
  }
  const GaussianSquare square = sum.square();
  if (!std::isfinite(square.value)) return std::nullopt;
  const double error = numeric::add_up(numeric::multiply_up(square.relative_error, square.value), 1e-280);
  const auto upper = gaussian_of(numeric::sqrt_up(numeric::add_up(square.value, error)));
  const auto lower = gaussian_of(numeric::sqrt_down(numeric::subtract_down(square.value, error)));
  if (!upper || !lower) return std::nullopt;
  return Pair{*upper, *lower};
}

// The envelope of all choices of one epsilon, each of its points reached by one of them: loss/choice_loss.md.
struct ChoiceCurve {
  double greatest;

  // (1 - e^(-(greatest - epsilon) / 2))^2 / (1 - e^(-greatest)): 5 units for each factor above, 4 below, 3 operations.
  Bounds delta(privacy::Epsilon epsilon) const {
    if (epsilon.value() >= greatest) return {0, 0};
    const double rise = std::expm1((epsilon.value() - greatest) / 2);
    const Bounds bounds = numeric::within_units(rise * rise / -std::expm1(-greatest), 17);
    return {bounds.lower, std::min(bounds.upper, 1.0)};
  }

  // greatest + 2 ln(1 - root), root^2 = delta (1 - e^(-greatest)) within 8 units, or 0.
  Result<Bounds> epsilon(privacy::Delta delta) const {
    if (delta.is_pure()) return Bounds{greatest, greatest};
    const double root = std::sqrt(delta.value() * -std::expm1(-greatest));
    const double saved = 2 * std::log1p(-root);
    const double error = numeric::unit_roundoff * (16 * root / (1 - root) - 8 * saved);
    const Bounds found =
        mechanism::tight_epsilon(mechanism::plus({greatest, 0}, saved, error),
                                 [&](numeric::Precision precision) { return fine(delta, precision).bounds(); });
    return Bounds{std::min(found.lower, greatest), std::min(found.upper, greatest)};
  }

  numeric::Ball fine(privacy::Delta delta, numeric::Precision precision) const {
    const numeric::Ball whole = numeric::Ball::of(greatest, precision);
    const numeric::Ball root = sqrt(numeric::Ball::of(delta.value(), precision) * -expm1(-whole));
    return whole + times_power_of_two(log1p(-root), 1);
  }
};

// Of the mechanisms and of choices; a statement's own curve is its optimal composition.
std::optional<PrivacyCurve> curve_of(const Event& event) {
  using Found = std::optional<PrivacyCurve>;
  return std::visit(
      Overloaded{[](const PureStatement&) -> Found { return std::nullopt; },
                 [](const ApproximateStatement&) -> Found { return std::nullopt; },
                 [](const ZcdpStatement&) -> Found { return std::nullopt; },
                 [](const KeySelection&) -> Found { return std::nullopt; },
                 [](const Choice& choice) -> Found { return PrivacyCurve(ChoiceCurve{choice.epsilon.value()}); },
                 [](const auto& mechanism) -> Found { return mechanism.curve(); }},
      event.release());
}

std::optional<PrivacyCurve> one_release(const Event& event) {
  const std::optional<PrivacyCurve> whole = curve_of(event);
  if (!whole || event.sampling().is_everyone()) return whole;
  return PrivacyCurve(SampledCurve(*whole, event.sampling()));
}

}  // namespace

std::optional<ClosedForm> ClosedForm::of(std::span<const Event> events) {
  if (events.size() == 1 && events.front().times().value() == 1) {
    const std::optional<PrivacyCurve> curve = one_release(events.front());
    return curve ? std::optional(ClosedForm(*curve, *curve)) : std::nullopt;
  }
  if (!std::all_of(events.begin(), events.end(), is_plain_gaussian)) return std::nullopt;
  const std::optional<Pair> pair = gaussians(events);
  return pair ? std::optional(ClosedForm(pair->upper, pair->lower)) : std::nullopt;
}

Bounds ClosedForm::delta(privacy::Epsilon epsilon) const {
  return {lower_.delta(epsilon).lower, upper_.delta(epsilon).upper};
}

Result<Bounds> ClosedForm::epsilon(privacy::Delta delta) const {
  const Result<Bounds> upper = upper_.epsilon(delta);
  if (!upper) return upper;
  return lower_.epsilon(delta).map([&](const Bounds& lower) { return Bounds{lower.lower, upper->upper}; });
}

}  // namespace vernier::accounting
