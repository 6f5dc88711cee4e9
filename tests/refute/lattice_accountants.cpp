#include "refute/lattice_accountants.hpp"

#include <algorithm>
#include <cmath>

#include "support/fourier_power.hpp"

namespace vernier::testing {
namespace {

using accounting::Event;
using test::AnyAccountant;

constexpr long reach = 300;
constexpr double least_delta = 1e-12;  // of the compositions that they are asked about

std::optional<Bounds> refuses(const std::vector<Event>&, double) { return std::nullopt; }

double clipped_delta(const Event& event, double epsilon) {
  const double each = std::get<accounting::PureStatement>(event.release()).epsilon.value();
  const long times = event.times().value();
  const std::vector<double> masses = test::masses_by_fourier(1 / (1 + std::exp(-each)), times);
  double delta = 0;
  for (long j = 0; j <= times; ++j) {
    const double above = each * static_cast<double>(2 * j - times) - epsilon;
    if (above > 0) delta -= std::max(masses[static_cast<std::size_t>(j)], 0.0) * std::expm1(-above);
  }
  return delta;
}

}  // namespace

AnyAccountant lattice_accountant(test::Rounding rounding) {
  return {refuses, [=](const std::vector<Event>& events, double epsilon) -> std::optional<Bounds> {
            return Bounds{0, delta_of(composed_on_lattice(events, least_delta, reach, rounding), epsilon)};
          }};
}

AnyAccountant clipping_accountant() {
  return {refuses, [](const std::vector<Event>& events, double epsilon) -> std::optional<Bounds> {
            return Bounds{0, clipped_delta(events.front(), epsilon)};
          }};
}

}  // namespace vernier::testing
