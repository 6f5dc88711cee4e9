#include "cli/compose_events.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/file.hpp"

namespace vernier::cli {
namespace {

// The events read so far, under one neighbour relation unless one states its own.
class Reader {
 public:
  explicit Reader(privacy::Neighbours neighbours) : neighbours_(neighbours) {}

  Result<void> read(const std::string& place, std::string_view text) {
    if (events_.size() == most_events) {
      return invalid(
          fmt::format("{}: there are more than {} events; write equal ones as one with times=", place, most_events));
    }
    const Result<StatedEvent> event = read_event(text, neighbours_);
    if (!event) return fail(event.error().kind, fmt::format("{}: {}", place, event.error().sentence));
    events_.push_back(*event);
    return {};
  }

  Result<void> read_lines(const std::string& path, std::string_view content) {
    for (std::size_t number = 1; !content.empty(); ++number) {
      const std::size_t end = content.find('\n');
      const std::string_view line = content.substr(0, end);
      content = end == std::string_view::npos ? std::string_view() : content.substr(end + 1);
      const std::string_view text = line.substr(0, line.find('#'));
      if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (Result<void> done = read(fmt::format("in line {} of '{}'", number, path), text); !done) return done;
    }
    return {};
  }

  std::vector<StatedEvent> take() { return std::move(events_); }

 private:
  privacy::Neighbours neighbours_;
  std::vector<StatedEvent> events_;
};

Result<void> read_options(Reader& reader, const Arguments& arguments) {
  if (!arguments.has("--event")) return {};
  for (const std::string& text : arguments.all("--event")) {
    if (Result<void> done = reader.read(fmt::format("in the event '{}'", text), text); !done) return done;
  }
  return {};
}

Result<void> read_events_file(Reader& reader, const Arguments& arguments) {
  if (!arguments.has("--events")) return {};
  const std::string& path = arguments.one("--events");
  return read_file(path).and_then([&](const std::string& content) { return reader.read_lines(path, content); });
}

}  // namespace

Result<std::vector<StatedEvent>> events_of(const Arguments& arguments, privacy::Neighbours neighbours) {
  Reader reader(neighbours);
  VERNIER_TRY(read_options(reader, arguments).and_then([&] { return read_events_file(reader, arguments); }));
  std::vector<StatedEvent> events = reader.take();
  if (events.empty()) return invalid("there is no event; give one, for example as --event laplace,scale=20");
  return events;
}

}  // namespace vernier::cli
