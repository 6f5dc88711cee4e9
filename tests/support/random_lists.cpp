#include "support/random_lists.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "support/events.hpp"

namespace vernier::test {
namespace {

using accounting::Event;

bool chance(Parameters& any, double of) { return any.uniform(0, 1) < of; }
long whole(Parameters& any, double first, double last) { return std::lround(any.log_uniform(first, last)); }

double any_scale(Parameters& any) { return any.log_uniform(0.01, 1e6); }
double any_rate(Parameters& any) { return chance(any, 0.5) ? 1 : any.log_uniform(1e-12, 1); }

// Mostly once, sometimes up to a thousand times, rarely up to a million times.
long any_times(Parameters& any) {
  if (chance(any, 0.7)) return 1;
  return chance(any, 0.9) ? whole(any, 1, 1000) : whole(any, 1, 1e6);
}

// The sensitivity of a whole statistic: mostly 1.
long any_sensitivity(Parameters& any) { return chance(any, 0.6) ? 1 : whole(any, 1, 100); }

accounting::KeySelection any_selection(Parameters& any) {
  const double scale = any.log_uniform(0.1, 1e3);
  const long threshold = 1 + std::lround(scale * any.uniform(3, 40)), groups = whole(any, 1, 20);
  if (chance(any, 0.5)) return key_selection(geometric(scale), threshold, groups);
  return key_selection(discrete_gaussian(scale), threshold, groups);
}

Event any_event(Parameters& any) {
  const double kind = any.uniform(0, 15);
  const long times = any_times(any);
  if (kind < 1) return event(zcdp(any.log_uniform(1e-10, 50)));
  if (kind < 1.5) return event(any_selection(any));
  const double rate = any_rate(any);
  if (kind < 4) return event(laplace(any_scale(any)), times, rate);
  if (kind < 6) return event(geometric(any_scale(any), any_sensitivity(any)), times, rate);
  if (kind < 9) return event(gaussian(any_scale(any)), times, rate);
  if (kind < 11) return event(discrete_gaussian(any_scale(any), any_sensitivity(any)), times, rate);
  if (kind < 13) return event(pure(any.log_uniform(1e-6, 10)), times, rate);
  return event(approximate(any.log_uniform(1e-6, 10), any.log_uniform(1e-15, 1e-2)), times, rate);
}

}  // namespace

RandomList random_list(Parameters& any) {
  const int count = 1 + static_cast<int>(any.uniform(0, 6));
  std::vector<Event> events;
  for (int i = 0; i < count; ++i) events.push_back(any_event(any));
  const double delta = chance(any, 0.1) ? any.log_uniform(1e-100, 1e-12) : any.log_uniform(1e-12, 0.1);
  return {std::move(events), delta, any.log_uniform(1e-3, 100)};
}

bool has_statement_with_a_gap(const std::vector<Event>& events) {
  return std::any_of(events.begin(), events.end(), [](const Event& event) {
    return std::holds_alternative<accounting::ZcdpStatement>(event.release()) ||
           std::holds_alternative<accounting::KeySelection>(event.release()) ||
           std::holds_alternative<accounting::Choice>(event.release());
  });
}

}  // namespace vernier::test
