#include "cli/stated_event.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/errors.hpp"
#include "cli/event_text.hpp"
#include "cli/integer_sensitivity.hpp"
#include "cli/neighbours.hpp"
#include "cli/numbers.hpp"
#include "cli/rounded_event.hpp"

namespace vernier::cli {
namespace {

using Keys = std::vector<std::string>;

// What an event may begin with, and the keys that it then must and may have. The first name of a kind is its name.
// Sampling is known to all of them: which ones refuse it is the library's to say.
struct Entry {
  EventKind kind;
  std::string name;
  Keys needed;
  Keys allowed;
  std::string example;
};

const std::vector<Entry>& entries() {
  const Keys of_mechanism = {"scale", "sensitivity", "sampling"}, sampling = {"sampling"};
  static const std::vector<Entry> all = {
      {EventKind::laplace, "laplace", {}, of_mechanism, "laplace,scale=20"},
      {EventKind::geometric, "geometric", {}, of_mechanism, "geometric,scale=20"},
      {EventKind::geometric, "discrete-laplace", {}, of_mechanism, "discrete-laplace,scale=20"},
      {EventKind::gaussian, "gaussian", {}, of_mechanism, "gaussian,scale=20"},
      {EventKind::discrete_gaussian, "discrete-gaussian", {}, of_mechanism, "discrete-gaussian,scale=10"},
      {EventKind::pure, "pure", {"epsilon"}, sampling, "pure,epsilon=0.1"},
      {EventKind::approximate, "approximate", {"epsilon", "delta"}, sampling, "approximate,epsilon=0.1,delta=1e-8"},
      {EventKind::zcdp, "zcdp", {"rho"}, sampling, "zcdp,rho=0.1"},
      {EventKind::key_selection,
       "key-selection",
       {"noise", "scale", "threshold", "groups"},
       sampling,
       "key-selection,noise=geometric,scale=20,threshold=300,groups=1"},
  };
  return all;
}

Result<const Entry*> entry_named(const std::string& name) {
  for (const Entry& entry : entries()) {
    if (entry.name == name) return &entry;
  }
  return invalid(fmt::format("the kind '{}' is unknown{}; it must be one of {}", name, suggestion(name, event_names()),
                             fmt::join(event_names(), ", ")));
}

bool contains(const Keys& keys, std::string_view key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); }

Keys all_keys(const Entry& entry) {
  Keys keys = entry.needed;
  keys.insert(keys.end(), entry.allowed.begin(), entry.allowed.end());
  keys.insert(keys.end(), {"times", "neighbours"});
  return keys;
}

Result<void> check_keys(const Entry& entry, const EventText& event) {
  const Keys known = all_keys(entry);
  for (const auto& [key, value] : event.values) {
    if (!contains(known, key)) {
      return invalid(fmt::format("the key '{}' is unknown{}; {} takes {}", key, suggestion(key, known), entry.name,
                                 fmt::join(known, ", ")));
    }
  }
  for (const std::string& key : entry.needed) {
    if (!event.values.contains(key)) {
      return invalid(fmt::format("the key {} is missing; write it as in {}", key, entry.example));
    }
  }
  return {};
}

// Puts a value that was read in its place.
template <class Place, class Value>
Result<void> put(Place& place, const Result<Value>& value) {
  if (!value) return Failure(value.error());
  place = *value;
  return {};
}

constexpr std::array<std::pair<std::string_view, std::optional<Decimal> StatedEvent::*>, 6> decimals = {{
    {"scale", &StatedEvent::scale},
    {"sensitivity", &StatedEvent::sensitivity},
    {"sampling", &StatedEvent::sampling},
    {"epsilon", &StatedEvent::epsilon},
    {"delta", &StatedEvent::delta},
    {"rho", &StatedEvent::rho},
}};

bool is_mechanism(const StatedEvent& event) {
  return event.kind == EventKind::laplace || event.kind == EventKind::gaussian || event.is_over_integers();
}

Result<Decimal> whole_sensitivity(const std::string& text) {
  return read_integer_sensitivity("sensitivity", text).map([](privacy::IntegerSensitivity sensitivity) {
    return Decimal::exactly(static_cast<double>(sensitivity.value()));
  });
}

Result<std::string_view> noise_named(const std::string& name) {
  if (name == "geometric" || name == "discrete-laplace") return "geometric";
  if (name == "discrete-gaussian") return "discrete-gaussian";
  return invalid(fmt::format("noise must be geometric or discrete-gaussian, but it is '{}'", name));
}

Result<void> read_value(StatedEvent& event, const std::string& key, const std::string& text) {
  if (key == "times") return put(event.times, read_whole(key, text).and_then(accounting::Times::of));
  if (key == "neighbours") return put(event.neighbours, neighbours_named(key, text));
  if (key == "noise") return put(event.noise, noise_named(text));
  if (key == "threshold") return put(event.threshold, read_whole(key, text));
  if (key == "groups") return put(event.groups, read_whole(key, text));
  if (key == "sensitivity" && event.is_over_integers()) return put(event.sensitivity, whole_sensitivity(text));
  for (const auto& [name, place] : decimals) {
    if (name == key) return put(event.*place, read_decimal(key, text));
  }
  return {};
}

// Both ends must be able to take the event, whatever scale it gets.
Result<void> check_event(const StatedEvent& event) {
  constexpr double any_scale = 1;
  for (const End end : {End::upper, End::lower}) {
    VERNIER_TRY(event_for(end, event, any_scale));
  }
  return {};
}

}  // namespace

bool StatedEvent::is_open() const { return is_mechanism(*this) && !scale; }

bool StatedEvent::is_over_integers() const {
  return kind == EventKind::geometric || kind == EventKind::discrete_gaussian;
}

std::string_view name_of(EventKind kind) {
  return std::find_if(entries().begin(), entries().end(), [&](const Entry& entry) { return entry.kind == kind; })->name;
}

std::vector<std::string> event_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

Result<StatedEvent> read_event(std::string_view text, privacy::Neighbours neighbours) {
  VERNIER_TRY(const EventText parts, read_event_text(text));
  VERNIER_TRY(const Entry* const entry, entry_named(parts.kind));
  VERNIER_TRY(check_keys(*entry, parts));
  StatedEvent event{.kind = entry->kind, .neighbours = neighbours};
  if (is_mechanism(event)) event.sensitivity = Decimal::exactly(1);
  for (const auto& [key, value] : parts.values) {
    VERNIER_TRY(read_value(event, key, value));
  }
  return check_event(event).map([&] { return event; });
}

}  // namespace vernier::cli
