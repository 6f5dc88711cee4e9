#include "vernier/plan/allocate_price.hpp"

#include <limits>

namespace vernier::plan {

using accounting::Event;
using accounting::Guarantee;

Result<std::vector<Law>> Pricing::laws(const Choice& choice, double factor) const {
  std::vector<Law> laws;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    VERNIER_TRY(const Law law, law_of(items_[i], choice[i], factor));
    laws.push_back(law);
  }
  return laws;
}

Result<std::vector<Event>> Pricing::events(const Choice& choice, double factor) const {
  VERNIER_TRY(const std::vector<Law> known, laws(choice, factor));
  std::vector<Event> events;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    VERNIER_TRY(const Event event, event_of(items_[i], known[i], neighbours_));
    events.push_back(event);
  }
  return events;
}

Result<Guarantee> Pricing::guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const {
  VERNIER_TRY(std::vector<Event> all, events(choice, factor));
  VERNIER_TRY(const auto accountant, accounting::Accountant::of(std::move(all)));
  return accountant.epsilon(delta_, tightness);
}

double Pricing::epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const {
  const Result<Guarantee> found = guarantee(choice, factor, tightness);
  return found ? found->bounds.upper : std::numeric_limits<double>::infinity();
}

}  // namespace vernier::plan
