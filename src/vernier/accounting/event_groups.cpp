#include "vernier/accounting/event_groups.hpp"

#include <array>
#include <map>
#include <utility>

#include "vernier/accounting/overloaded.hpp"

namespace vernier::accounting {
namespace {

// What tells one event from another, but for its times.
using Key = std::array<double, 8>;

template <class Mechanism>
void describe(const Mechanism& mechanism, Key& key) {
  key[3] = mechanism.law().scale();
  key[4] = static_cast<double>(mechanism.sensitivity().value());
}

Key key_of(const Event& event) {
  Key key{static_cast<double>(event.release().index()), static_cast<double>(event.neighbours()),
          event.sampling().value()};
  std::visit(Overloaded{[&](const PureStatement& pure) { key[3] = pure.epsilon.value(); },
                        [&](const ApproximateStatement& stated) {
                          key[3] = stated.epsilon.value();
                          key[4] = stated.delta.value();
                        },
                        [&](const ZcdpStatement& stated) { key[3] = stated.rho.value(); },
                        [&](const KeySelection& keys) {
                          std::visit([&](const auto& noise) { describe(noise, key); }, keys.noise());
                          key[5] = static_cast<double>(keys.noise().index());
                          key[6] = static_cast<double>(keys.threshold());
                          key[7] = static_cast<double>(keys.groups());
                        },
                        [&](const auto& mechanism) { describe(mechanism, key); }},
             event.release());
  return key;
}

}  // namespace

std::vector<Event> grouped(std::span<const Event> events) {
  std::vector<Event> groups;
  std::map<Key, std::size_t> places;
  for (const Event& event : events) {
    const auto [place, is_new] = places.try_emplace(key_of(event), groups.size());
    if (is_new) {
      groups.push_back(event);
      continue;
    }
    Event& group = groups[place->second];
    const Result<Times> times = Times::of(group.times().value() + event.times().value());
    if (times) {
      group = group.with(*times);
    } else {
      place->second = groups.size();
      groups.push_back(event);
    }
  }
  return groups;
}

}  // namespace vernier::accounting
