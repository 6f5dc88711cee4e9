#include "cli/compose_request.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/compose_events.hpp"
#include "cli/neighbours.hpp"
#include "cli/plot_file.hpp"

namespace vernier::cli {
namespace {

using accounting::Tightness;
using privacy::Delta;
using privacy::Epsilon;
using privacy::Neighbours;

Result<Neighbours> neighbours_of(const Arguments& arguments) {
  if (!arguments.has("--neighbours")) return Neighbours::add_remove;
  return neighbours_named("--neighbours", arguments.one("--neighbours"));
}

Result<Tightness> tightness_of(const Arguments& arguments) {
  if (!arguments.has("--tightness")) return Tightness::usual();
  return read_decimal("--tightness", arguments.one("--tightness")).and_then(rounded_down<Tightness>);
}

// A number that the library takes as `Parameter`, as it was written.
template <class Parameter>
Result<std::optional<Decimal>> stated(const Arguments& arguments, const char* option) {
  if (!arguments.has(option)) return std::nullopt;
  VERNIER_TRY(const Decimal written, read_decimal(option, arguments.one(option)));
  return rounded_down<Parameter>(written).map([&](Parameter) { return std::optional(written); });
}

Result<void> check_what_is_asked(const Arguments& arguments) {
  const bool delta = arguments.has("--delta"), epsilon = arguments.has("--epsilon");
  if (arguments.has("--solve")) {
    if (arguments.one("--solve") != "scale") {
      return invalid(
          fmt::format("--solve finds a scale only, but it is '{}'; write --solve scale", arguments.one("--solve")));
    }
    if (delta && epsilon) return {};
    return invalid(
        fmt::format("--solve scale needs both --epsilon and --delta, but {} is missing", epsilon ? "--delta"
                                                                                         : delta ? "--epsilon"
                                                                                                 : "each of them"));
  }
  if (!delta && !epsilon) {
    return invalid("nothing is asked; give --delta to learn epsilon, or --epsilon to learn delta");
  }
  if (!delta || !epsilon) return {};
  return invalid(
      "--epsilon and --delta together leave nothing to find; leave one of them out, or leave scale= out of an event "
      "and "
      "add --solve scale");
}

// A scale may be missing only where it is to be found, and then one must be.
Result<void> check_scales(const std::vector<StatedEvent>& events, bool solves) {
  const auto open =
      std::find_if(events.begin(), events.end(), [](const StatedEvent& event) { return event.is_open(); });
  if (solves && open == events.end()) {
    return invalid(
        "--solve scale has nothing to find, since every event states its own; leave scale= out of those "
        "events that shall share one");
  }
  if (solves || open == events.end()) return {};
  return invalid(
      fmt::format("an event has no scale; write it, for example as {},scale=20, or let it be found by --solve "
                  "scale with --epsilon and --delta",
                  name_of(open->kind)));
}

}  // namespace

Result<ComposeRequest> compose_request(const Arguments& arguments) {
  VERNIER_TRY(const Neighbours neighbours, neighbours_of(arguments));
  VERNIER_TRY(std::vector<StatedEvent> events, events_of(arguments, neighbours));
  VERNIER_TRY(check_what_is_asked(arguments));
  VERNIER_TRY(check_scales(events, arguments.has("--solve")));
  VERNIER_TRY(const std::optional<Decimal> epsilon, stated<Epsilon>(arguments, "--epsilon"));
  VERNIER_TRY(const std::optional<Decimal> delta, stated<Delta>(arguments, "--delta"));
  VERNIER_TRY(const Tightness tightness, tightness_of(arguments));
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  return ComposeRequest{std::move(events), epsilon, delta, tightness, plot, arguments.has("--json")};
}

}  // namespace vernier::cli
