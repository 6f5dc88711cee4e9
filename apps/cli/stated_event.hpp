#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/decimal.hpp"
#include "vernier/accounting/event.hpp"

namespace vernier::cli {

enum class EventKind : std::uint8_t {
  laplace,
  geometric,
  gaussian,
  discrete_gaussian,
  pure,
  approximate,
  zcdp,
  key_selection,
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

}  // namespace vernier::cli
