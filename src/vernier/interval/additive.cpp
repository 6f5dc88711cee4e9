#include "vernier/interval/additive.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/numeric/rational.hpp"

namespace vernier::interval {
namespace {

using numeric::Rational;

// from - step and from + step, stopping at an end; the difference of two integers always fits without a sign.
std::int64_t down(std::int64_t from, std::int64_t step, std::int64_t least) {
  const auto room = static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(least);
  return static_cast<std::uint64_t>(step) >= room ? least : from - step;
}
std::int64_t up(std::int64_t from, std::int64_t step, std::int64_t greatest) {
  const auto room = static_cast<std::uint64_t>(greatest) - static_cast<std::uint64_t>(from);
  return static_cast<std::uint64_t>(step) >= room ? greatest : from + step;
}

}  // namespace

Result<PossibleRange> PossibleRange::of(std::int64_t least, std::int64_t greatest) {
  if (least <= greatest) return PossibleRange(least, greatest);
  return invalid("the least possible number must not exceed the greatest, but they are " + std::to_string(least) +
                 " and " + std::to_string(greatest) + "; exchange them");
}

AdditiveInterval additive(std::int64_t released, std::int64_t accuracy, PossibleRange possible) {
  const std::int64_t value = std::clamp(released, possible.least(), possible.greatest());
  return {value, accuracy, down(value, accuracy, possible.least()), up(value, accuracy, possible.greatest())};
}

ScaledInterval on_grid(const AdditiveInterval& units, Real granularity) {
  const Rational step = *Rational::of(granularity.value());
  const auto scaled = [&](std::int64_t number) { return Rational::of(number) * step; };
  return {static_cast<double>(units.value) * granularity.value(),
          scaled(units.accuracy).round_up(),
          {scaled(units.low).round_down(), scaled(units.high).round_up()}};
}

}  // namespace vernier::interval
