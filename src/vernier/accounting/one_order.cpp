#include "vernier/accounting/one_order.hpp"

#include <cmath>

#include "vernier/accounting/divergences.hpp"
#include "vernier/accounting/rdp.hpp"
#include "vernier/accounting/renyi_conversion.hpp"

namespace vernier::accounting {
namespace {

// What is paid for a delta at an order, whatever the divergence.
double conversion(double order, double delta) {
  return tight_upper(epsilon_at_order(order - 1, {0, 0}, delta), [&](numeric::Precision precision) {
    return epsilon_at_order(order - 1, numeric::Ball::of(0.0, precision), delta);
  });
}

// Any order is valid; this one leaves the most rho to Gaussian noise.
double order_with_most_room(double epsilon, double delta) {
  double best = usual_orders().back(), most = -1;
  for (const double order : usual_orders()) {
    const double room = (epsilon - conversion(order, delta)) / order;
    if (room > most) most = room, best = order;
  }
  return best;
}

}  // namespace

Result<OneOrder> OneOrder::of(const numeric::Rational& epsilon, const numeric::Rational& delta) {
  if (!(delta > numeric::Rational::of(0))) return invalid("charging by divergence needs a delta above 0");
  const numeric::Rational half = delta * *numeric::Rational::of(0.5);
  const double usable = half.round_down();
  const double order = order_with_most_room(epsilon.round_down(), usable);
  return OneOrder(order, {*numeric::Rational::of(conversion(order, usable)), half});
}

Result<Charge> OneOrder::charge(std::span<const Event> events) const {
  const auto divergences = Divergences::of(events);
  const double divergence = divergences ? (*divergences)(order_) : INFINITY;
  if (!std::isfinite(divergence)) return fail(ErrorKind::exhausted, "a release has no divergence that is known");
  return Charge{*numeric::Rational::of(divergence), *numeric::Rational::of(divergences->infinite())};
}

}  // namespace vernier::accounting
