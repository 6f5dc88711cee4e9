#include "vernier/accounting/event.hpp"

#include <array>
#include <map>
#include <string>
#include <utility>

namespace vernier::accounting {
namespace {

constexpr std::int64_t most_times = 1'000'000'000;
constexpr std::int64_t most_groups = 1'000'000;  // twice this, so many times, is below 2^53: a double counts it

Result<void> check_sampling(const Release& release, privacy::Neighbours neighbours, privacy::SamplingRate sampling) {
  if (sampling.is_everyone()) return {};
  if (neighbours == privacy::Neighbours::replace) {
    return invalid("Poisson sampling is proven for the neighbours add-remove only, not for replace",
                   "state the event under add-remove, or without sampling");
  }
  if (std::holds_alternative<ZcdpStatement>(release)) {
    return invalid("a zCDP statement says nothing about a sampled release", "name the mechanism instead of its rho");
  }
  if (std::holds_alternative<KeySelection>(release)) {
    return invalid("key selection on a sample is not accounted for", "leave the sampling out");
  }
  if (std::holds_alternative<Choice>(release)) {
    return invalid("a choice on a sample is not accounted for", "state it as pure, or leave the sampling out");
  }
  return {};
}

}  // namespace

Result<KeySelection> KeySelection::of(const Noise& noise, std::int64_t threshold, std::int64_t groups) {
  const auto sensitivity = std::visit([](const auto& mechanism) { return mechanism.sensitivity().value(); }, noise);
  if (sensitivity != 1) {
    return invalid(
        "key selection counts each unit once for a key, so the sensitivity of its noise must be 1, but it is " +
        std::to_string(sensitivity));
  }
  constexpr std::int64_t most = std::int64_t{1} << 53;
  if (threshold < 1 || threshold > most) {
    return invalid("the threshold must be a whole number from 1 to 2^53, but it is " + std::to_string(threshold));
  }
  if (groups < 1 || groups > most_groups) {
    return invalid("the groups of one unit must be a whole number from 1 to 1e6, but they are " +
                   std::to_string(groups));
  }
  return KeySelection(noise, threshold, groups);
}

Result<void> Times::check(std::int64_t value) {
  if (value >= 1 && value <= most_times) return {};
  return invalid(parameter("times"), "must be a whole number from 1 to 1e9, but it is " + std::to_string(value), {});
}

Result<Event> Event::of(const Release& release, privacy::Neighbours neighbours, Times times,
                        privacy::SamplingRate sampling) {
  return check_sampling(release, neighbours, sampling).map([&] { return Event(release, neighbours, times, sampling); });
}

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
                        [&](const Choice& choice) { key[3] = choice.epsilon.value(); },
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
