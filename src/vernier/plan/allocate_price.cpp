#include "vernier/plan/allocate_price.hpp"

#include <limits>

namespace vernier::plan {

using accounting::Event;
using accounting::Guarantee;

Result<std::vector<Law>> Pricing::laws(const Choice& choice, double factor) const {
  std::vector<Law> laws;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Result<Law> law = law_of(items_[i], choice[i], factor);
    if (!law) return Failure(law.error());
    laws.push_back(*law);
  }
  return laws;
}

Result<std::vector<Event>> Pricing::events(const Choice& choice, double factor) const {
  const Result<std::vector<Law>> known = laws(choice, factor);
  if (!known) return Failure(known.error());
  std::vector<Event> events;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Result<Event> event = event_of(items_[i], (*known)[i], neighbours_);
    if (!event) return Failure(event.error());
    events.push_back(*event);
  }
  return events;
}

Result<Guarantee> Pricing::guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const {
  Result<std::vector<Event>> all = events(choice, factor);
  if (!all) return Failure(all.error());
  const auto accountant = accounting::Accountant::of(*std::move(all));
  if (!accountant) return Failure(accountant.error());
  return accountant->epsilon(delta_, tightness);
}

double Pricing::epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const {
  const Result<Guarantee> found = guarantee(choice, factor, tightness);
  return found ? found->bounds.upper : std::numeric_limits<double>::infinity();
}

}  // namespace vernier::plan
