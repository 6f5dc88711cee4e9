#include "server/events.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vernier::server {

void Events::follow(const std::string& owner, std::size_t most, std::optional<std::uint64_t> last,
                    std::shared_ptr<Stream> stream) {
  forget_closed();
  make_room(owner, most);
  if (listeners_.size() >= most_listeners) return stream->close();
  stream->send(fmt::format(": Vernier\nid: {}\nevent: hello\ndata: {{}}\n\n", last_));
  for (const Kept& one : kept_) {
    if (last && one.number > *last && one.owner == owner) stream->send(one.text);
  }
  listeners_.push_back({owner, std::move(stream)});
  if (!beats_) beat();
}

void Events::make_room(const std::string& owner, std::size_t most) {
  const auto is_theirs = [&](const Listener& one) { return one.owner == owner; };
  if (static_cast<std::size_t>(std::count_if(listeners_.begin(), listeners_.end(), is_theirs)) < most) return;
  const auto first = std::find_if(listeners_.begin(), listeners_.end(), is_theirs);
  if (first == listeners_.end()) return;
  first->stream->close();
  listeners_.erase(first);
}

void Events::tell(const std::string& owner, std::string_view kind, const std::string& json) {
  std::string line = json;
  std::erase(line, '\n');
  kept_.push_back({++last_, owner, fmt::format("id: {}\nevent: {}\ndata: {}\n\n", last_, kind, line)});
  if (kept_.size() > most_kept_events) kept_.pop_front();
  for (const Listener& one : listeners_) {
    if (one.owner == owner) one.stream->send(kept_.back().text);
  }
}

void Events::end(std::string_view kind) {
  for (const Listener& one : listeners_) one.stream->send(fmt::format("event: {}\ndata: {{}}\n\n", kind));
  loop_.after(std::chrono::milliseconds(100), [listeners = std::move(listeners_)] {
    for (const Listener& one : listeners) one.stream->close();
  });
  listeners_.clear();
}

std::size_t Events::listeners() const {
  return static_cast<std::size_t>(
      std::count_if(listeners_.begin(), listeners_.end(), [](const Listener& one) { return one.stream->is_open(); }));
}

void Events::forget_closed() {
  std::erase_if(listeners_, [](const Listener& one) { return !one.stream->is_open(); });
}

// A comment now and then, by which either side sees whether the other is there.
void Events::beat() {
  forget_closed();
  beats_ = !listeners_.empty();
  if (!beats_) return;
  loop_.after(heartbeat, [this] {
    for (const Listener& one : listeners_) one.stream->send(": still here\n\n");
    beat();
  });
}

}  // namespace vernier::server
