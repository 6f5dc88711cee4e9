#include "cli/compose/event.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/decimal.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

using privacy::Neighbours;

Result<Neighbours> neighbours_named(std::string_view name, const std::string& text) {
  for (const Neighbours neighbours : {Neighbours::add_remove, Neighbours::replace}) {
    if (name_of(neighbours) == text) return neighbours;
  }
  return invalid(fmt::format("{} must be add-remove or replace, but it is '{}'{}", name, text,
                             suggestion(text, neighbour_names())));
}

std::vector<std::string> neighbour_names() { return {"add-remove", "replace"}; }

namespace {

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The text up to the next comma, which `rest` then begins behind; none where `rest` is at its end.
std::string_view next_part(std::string_view& rest) {
  const std::size_t comma = rest.find(',');
  const std::string_view part = rest.substr(0, comma);
  rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  return without_blanks(part);
}

Result<void> keep_part(EventText& event, std::string_view part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return invalid(fmt::format("each part behind the kind must be KEY=VALUE, such as scale=20, but one is '{}'", part));
  }
  const std::string key(without_blanks(part.substr(0, equals)));
  if (event.values.contains(key)) return invalid(fmt::format("the key {} is given more than once; give it once", key));
  event.values.emplace(key, without_blanks(part.substr(equals + 1)));
  return {};
}

}  // namespace

Result<EventText> read_event_text(std::string_view text) {
  std::string_view rest = text;
  EventText event{std::string(next_part(rest)), {}};
  if (event.kind.empty() || event.kind.find('=') != std::string::npos) {
    return invalid(fmt::format("an event begins with its kind, such as laplace,scale=20, but this one is '{}'", text));
  }
  for (bool more = text.find(',') != std::string_view::npos; more;) {
    more = rest.find(',') != std::string_view::npos;
    VERNIER_TRY(keep_part(event, next_part(rest)));
  }
  return event;
}

namespace {

using accounting::Release;
using privacy::IntegerSensitivity;

// A scale: the smaller, the worse.
template <class Parameter>
Result<Parameter> worse_below(End end, const Decimal& written) {
  return rounded<Parameter>(written, end == End::upper ? &Decimal::down : &Decimal::up);
}

// Everything else: the larger, the worse.
template <class Parameter>
Result<Parameter> worse_above(End end, const Decimal& written) {
  return rounded<Parameter>(written, end == End::upper ? &Decimal::up : &Decimal::down);
}

template <class Mechanism, class Scale, class Sensitivity>
Result<Release> real_mechanism(End end, const StatedEvent& stated, const Decimal& scale) {
  VERNIER_TRY(const Sensitivity sensitivity, worse_above<Sensitivity>(end, *stated.sensitivity));
  return worse_below<Scale>(end, scale).map([&](Scale taken) {
    return Release(Mechanism::at_scale(taken, sensitivity));
  });
}

template <class Mechanism, class Scale>
Result<Mechanism> integer_mechanism(const Result<Scale>& scale, double sensitivity) {
  if (!scale) return Failure(scale.error());
  return IntegerSensitivity::of(static_cast<std::int64_t>(sensitivity)).and_then([&](IntegerSensitivity moved) {
    return Mechanism::at_scale(*scale, moved);
  });
}

Result<mechanism::GeometricMechanism> geometric(const Result<LaplaceScale>& scale, double sensitivity) {
  return integer_mechanism<mechanism::GeometricMechanism>(scale, sensitivity);
}

Result<mechanism::DiscreteGaussianMechanism> discrete_gaussian(const Decimal& scale, double sensitivity) {
  return integer_mechanism<mechanism::DiscreteGaussianMechanism>(Sigma::of(scale.nearest), sensitivity);
}

Result<accounting::KeySelection::Noise> selection_noise(const StatedEvent& stated) {
  using Noise = accounting::KeySelection::Noise;
  if (stated.noise == "geometric") {
    return geometric(LaplaceScale::of(stated.scale->nearest), 1).map([](const auto& noise) { return Noise(noise); });
  }
  return discrete_gaussian(*stated.scale, 1).map([](const auto& noise) { return Noise(noise); });
}

Result<Release> key_selection(const StatedEvent& stated) {
  return selection_noise(stated)
      .and_then(
          [&](const auto& noise) { return accounting::KeySelection::of(noise, *stated.threshold, *stated.groups); })
      .map([](const auto& selection) { return Release(selection); });
}

Result<Release> pure(End end, const StatedEvent& stated) {
  return worse_above<privacy::Epsilon>(end, *stated.epsilon).map([](privacy::Epsilon epsilon) {
    return Release(accounting::PureStatement{epsilon});
  });
}

Result<Release> choice(End end, const StatedEvent& stated) {
  return worse_above<privacy::Epsilon>(end, *stated.epsilon).map([](privacy::Epsilon epsilon) {
    return Release(accounting::Choice{epsilon});
  });
}

Result<Release> approximate(End end, const StatedEvent& stated) {
  VERNIER_TRY(const privacy::Epsilon epsilon, worse_above<privacy::Epsilon>(end, *stated.epsilon));
  return worse_above<privacy::Delta>(end, *stated.delta).map([&](privacy::Delta delta) {
    return Release(accounting::ApproximateStatement{epsilon, delta});
  });
}

Result<Release> zcdp(End end, const StatedEvent& stated) {
  return worse_above<privacy::Rho>(end, *stated.rho).map([](privacy::Rho rho) {
    return Release(accounting::ZcdpStatement{rho});
  });
}

Result<Release> release_for(End end, const StatedEvent& stated, double open_scale) {
  const Decimal scale = stated.scale.value_or(Decimal::exactly(open_scale));
  const auto any = [](const auto& made) { return Release(made); };
  switch (stated.kind) {
    case EventKind::laplace:
      return real_mechanism<mechanism::LaplaceMechanism, LaplaceScale, privacy::L1Sensitivity>(end, stated, scale);
    case EventKind::gaussian:
      return real_mechanism<mechanism::GaussianMechanism, Sigma, privacy::L2Sensitivity>(end, stated, scale);
    case EventKind::geometric:
      return geometric(worse_below<LaplaceScale>(end, scale), stated.sensitivity->nearest).map(any);
    case EventKind::discrete_gaussian:
      return discrete_gaussian(scale, stated.sensitivity->nearest).map(any);
    case EventKind::pure:
      return pure(end, stated);
    case EventKind::approximate:
      return approximate(end, stated);
    case EventKind::zcdp:
      return zcdp(end, stated);
    case EventKind::key_selection:
      return key_selection(stated);
    case EventKind::choice:
      return choice(end, stated);
  }
  return invalid("the event is of no known kind");
}

}  // namespace

Result<accounting::Event> event_for(End end, const StatedEvent& stated, double open_scale) {
  VERNIER_TRY(const Release release, release_for(end, stated, open_scale));
  VERNIER_TRY(const auto sampling, stated.sampling ? worse_above<privacy::SamplingRate>(end, *stated.sampling)
                                                   : privacy::SamplingRate::everyone());
  return accounting::Event::of(release, stated.neighbours, stated.times, sampling);
}

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
      {EventKind::choice, "choice", {"epsilon"}, sampling, "choice,epsilon=0.1"},
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
