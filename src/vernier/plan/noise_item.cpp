#include "vernier/plan/noise_item.hpp"

#include <algorithm>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"

namespace vernier::plan {
namespace {

using accounting::Event;
using mechanism::DiscreteGaussianMechanism;
using mechanism::GeometricMechanism;

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

Result<accounting::Release> selection(const NoiseItem& item, const Law& law, privacy::IntegerSensitivity one,
                                      privacy::Neighbours neighbours) {
  const Result<std::int64_t> threshold = threshold_of(item, law, neighbours);
  if (!threshold) return Failure(threshold.error());
  return std::visit(
      [&](const auto& known) -> Result<accounting::Release> {
        const auto noise = mechanism_of(known, one);
        if (!noise) return Failure(noise.error());
        return accounting::KeySelection::of(*noise, *threshold, item.keys->groups).map([](const auto& selected) {
          return accounting::Release(selected);
        });
      },
      law);
}

Result<accounting::Release> release_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  const Result<privacy::IntegerSensitivity> shift = privacy::IntegerSensitivity::of(item.shift);
  if (!shift) return Failure(shift.error());
  if (item.keys) return selection(item, law, *shift, neighbours);
  return std::visit(
      [&](const auto& known) {
        return mechanism_of(known, *shift).map([](const auto& noise) { return accounting::Release(noise); });
      },
      law);
}

}  // namespace

Result<Law> law_of(const NoiseItem& item, LawKind kind, double factor) {
  const double scale = item.base[static_cast<std::size_t>(kind)] * (item.is_free ? factor : 1);
  return law_at(kind, std::clamp(scale, noise::least_integer_scale, greatest_scale));
}

Result<std::int64_t> threshold_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  return least_threshold(law, {accounting::touched_keys(item.keys->groups, neighbours), item.keys->delta});
}

Result<Event> event_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  const Result<accounting::Release> release = release_of(item, law, neighbours);
  if (!release) return Failure(release.error());
  const auto times = item.keys ? accounting::Times::once() : accounting::Times::of(item.coordinates);
  if (!times) return Failure(times.error());
  return Event::of(*release, neighbours, *times);
}

}  // namespace vernier::plan
