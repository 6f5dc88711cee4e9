#include "vernier/plan/noise_item.hpp"

#include <algorithm>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::plan {
namespace {

using accounting::Event;
using mechanism::DiscreteGaussianMechanism;
using mechanism::GeometricMechanism;

constexpr double least_stated_epsilon = 1e-10;  // that privacy::Epsilon takes

Result<Law> law_at(LawKind kind, double scale) {
  const auto any = [](const auto& known) { return Law(known); };
  if (kind == LawKind::geometric) return noise::Geometric::of(*LaplaceScale::of(scale)).map(any);
  return noise::DiscreteGaussian::of(*Sigma::of(scale)).map(any);
}

Result<GeometricMechanism> mechanism_of(const noise::Geometric& law, privacy::IntegerSensitivity shift) {
  return GeometricMechanism::at_scale(*LaplaceScale::of(law.scale()), shift);
}
Result<DiscreteGaussianMechanism> mechanism_of(const noise::DiscreteGaussian& law, privacy::IntegerSensitivity shift) {
  return DiscreteGaussianMechanism::at_scale(*Sigma::of(law.scale()), shift);
}

// One choice is pure, shift / scale: noise/exponential.md. What is less than can be stated is stated as the least.
Result<accounting::PureStatement> mechanism_of(const noise::Exponential& law, privacy::IntegerSensitivity shift) {
  const double epsilon = numeric::divide_up(static_cast<double>(shift.value()), law.scale());
  return privacy::Epsilon::of(std::max(epsilon, least_stated_epsilon)).map([](privacy::Epsilon stated) {
    return accounting::PureStatement{stated};
  });
}

Result<accounting::KeySelection> selected(const accounting::PureStatement&, std::int64_t, std::int64_t) {
  return invalid("private keys are not chosen by a choice among values");
}
template <class Mechanism>
Result<accounting::KeySelection> selected(const Mechanism& noise, std::int64_t threshold, std::int64_t groups) {
  return accounting::KeySelection::of(noise, threshold, groups);
}

Result<accounting::Release> selection(const NoiseItem& item, const Law& law, privacy::IntegerSensitivity one,
                                      privacy::Neighbours neighbours) {
  VERNIER_TRY(const std::int64_t threshold, threshold_of(item, law, neighbours));
  return std::visit(
      [&](const auto& known) -> Result<accounting::Release> {
        VERNIER_TRY(const auto noise, mechanism_of(known, one));
        return selected(noise, threshold, item.keys->groups).map([](const auto& keys) {
          return accounting::Release(keys);
        });
      },
      law);
}

Result<accounting::Release> release_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  VERNIER_TRY(const privacy::IntegerSensitivity shift, privacy::IntegerSensitivity::of(item.shift));
  if (item.keys) return selection(item, law, shift, neighbours);
  return std::visit(
      [&](const auto& known) {
        return mechanism_of(known, shift).map([](const auto& noise) { return accounting::Release(noise); });
      },
      law);
}

}  // namespace

Result<Law> law_of(const NoiseItem& item, LawKind kind, double factor) {
  const double scale = item.base[static_cast<std::size_t>(kind)] * (item.is_free ? factor : 1);
  const double held = std::clamp(scale, noise::least_integer_scale, greatest_scale);
  if (!item.is_choice) return law_at(kind, held);
  return noise::Exponential::of(*LaplaceScale::of(held)).map([](const noise::Exponential& law) { return Law(law); });
}

Result<std::int64_t> threshold_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  return least_threshold(law, {accounting::touched_keys(item.keys->groups, neighbours), item.keys->delta});
}

Result<Event> event_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  VERNIER_TRY(const accounting::Release release, release_of(item, law, neighbours));
  VERNIER_TRY(const auto times, item.keys ? accounting::Times::once() : accounting::Times::of(item.coordinates));
  return Event::of(release, neighbours, times);
}

}  // namespace vernier::plan
