#include "cli/event_text.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace vernier::cli {
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

}  // namespace vernier::cli
