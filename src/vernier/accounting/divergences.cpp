#include "vernier/accounting/divergences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vernier/accounting/event_parts.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/fourier/total_loss.hpp"
#include "vernier/accounting/loss/choice_loss.hpp"
#include "vernier/accounting/rdp.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

// Of choices the moments of the worst one at each order, which are less than those of a law that is above all of them.
class ChoiceMoments : public ChoiceLoss {
 public:
  explicit ChoiceMoments(privacy::Epsilon epsilon) : ChoiceLoss(epsilon), epsilon_(epsilon) {}

  Cumulants cumulants(double theta) const {
    Cumulants found = ChoiceLoss::cumulants(theta);
    found.value = numeric::multiply_up(theta, choice_divergence(epsilon_, 1 + theta));
    found.error = 0;
    return found;
  }

 private:
  privacy::Epsilon epsilon_;
};

// Infinite where the cumulants are not known.
double divergence_of(std::span<const LossPart> parts, double theta) {
  const Cumulants total = fourier::total_cumulants(parts, theta);
  const double greatest = numeric::add_up(total.value, total.error);
  if (!std::isfinite(greatest)) return std::numeric_limits<double>::infinity();
  return numeric::divide_up(std::max(greatest, 0.0), theta);
}

}  // namespace

std::vector<Direction> directions(std::span<const Event> events) {
  if (is_symmetric(events)) return {Direction::remove};
  return {Direction::remove, Direction::add};
}

std::optional<Divergences> Divergences::of(std::span<const Event> events) {
  Divergences made;
  std::vector<Event> with_laws;
  std::vector<LossPart> choices;
  for (const Event& event : events) {
    if (const auto* const stated = std::get_if<ZcdpStatement>(&event.release())) {
      made.rho_ = numeric::add_up(made.rho_, numeric::multiply_up(stated->rho.value(), copies(event)));
    } else if (const auto* const choice = std::get_if<Choice>(&event.release())) {
      choices.push_back({LossLaw(ChoiceMoments(choice->epsilon)), copies(event)});
    } else {
      with_laws.push_back(event);
    }
  }
  for (const Direction direction : directions(events)) {
    Result<std::vector<LossPart>> parts = parts_of(with_laws, direction, End::upper, 1e-300);
    if (!parts) return std::nullopt;
    parts->insert(parts->end(), choices.begin(), choices.end());
    made.infinite_ = std::max(made.infinite_, fourier::infinite_mass(*parts).upper);
    made.parts_.push_back(*std::move(parts));
  }
  return made;
}

double Divergences::operator()(double order) const {
  double greatest = 0;
  for (const std::vector<LossPart>& parts : parts_) greatest = std::max(greatest, divergence_of(parts, order - 1));
  return numeric::add_up(greatest, numeric::multiply_up(order, rho_));
}

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
