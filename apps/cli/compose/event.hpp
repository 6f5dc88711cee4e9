#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/decimal.hpp"
#include "vernier/accounting/event.hpp"
#include "vernier/core/result.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::cli {

// "add-remove" and "replace"; `name` is the subject of the sentence when the text is neither.
Result<privacy::Neighbours> neighbours_named(std::string_view name, const std::string& text);
std::vector<std::string> neighbour_names();

// "gaussian,scale=20,times=100" taken apart: the kind of event, and its values by key, still text.
struct EventText {
  std::string kind;
  std::map<std::string, std::string, std::less<>> values;
};

// Refuses an empty text or part, a part without a key, and a key that comes twice. Blanks around a part do not count.
Result<EventText> read_event_text(std::string_view text);

enum class EventKind : std::uint8_t {
  laplace,
  geometric,
  gaussian,
  discrete_gaussian,
  pure,
  approximate,
  zcdp,
  key_selection,
  choice,
};

// An event as the user states it, in numbers as they were written. A key that the kind does not have is empty.
struct StatedEvent {
  EventKind kind;
  std::optional<Decimal> scale = {};  // of a mechanism; empty where it is to be found
  std::optional<Decimal> sensitivity = {}, sampling = {};
  std::optional<Decimal> epsilon = {}, delta = {}, rho = {};
  std::optional<std::string_view> noise = {};  // of key selection: "geometric" or "discrete-gaussian"
  std::optional<std::int64_t> threshold = {}, groups = {};
  accounting::Times times = accounting::Times::once();
  privacy::Neighbours neighbours = privacy::Neighbours::add_remove;

  // Its scale is left open: --solve finds it.
  bool is_open() const;
  bool is_over_integers() const;
};

// "discrete-gaussian"; one name where several are understood.
std::string_view name_of(EventKind kind);
// All names that an event may begin with.
std::vector<std::string> event_names();

// Reads "gaussian,scale=20,times=100". `neighbours` is the relation unless the event states its own. Everything is
// checked but a scale that is missing.
Result<StatedEvent> read_event(std::string_view text, privacy::Neighbours neighbours);

// Which end of the answer an event is for: its decimals are rounded to the doubles of worse privacy for the upper end,
// and to those of better privacy for the lower one.
enum class End : std::uint8_t { upper, lower };

// The event with its numbers rounded for an end, and with this scale where its own is open. The scale of discrete
// Gaussian noise and that of key selection are taken as the nearest double, since neither is always the more private
// the larger it is.
Result<accounting::Event> event_for(End end, const StatedEvent& stated, double open_scale);

}  // namespace vernier::cli
