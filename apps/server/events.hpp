#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/http.hpp"

// What happens to releases, told to those who listen (text/event-stream).
namespace vernier::server {

inline constexpr std::size_t most_listeners = 1000, most_listeners_of_one = 50, most_kept_events = 500;
inline constexpr std::chrono::seconds heartbeat{15};

class Events {
 public:
  explicit Events(Loop& loop) : loop_(loop) {}

  // What came after the event with this number, of those that are kept, and then what comes. Where the owner has `most`
  // already, the first of them is closed.
  void follow(const std::string& owner, std::size_t most, std::optional<std::uint64_t> last,
              std::shared_ptr<Stream> stream);
  // To everybody with this name.
  void tell(const std::string& owner, std::string_view kind, const std::string& json);
  // To all; they are cut off then, and come again if they may.
  void end(std::string_view kind);
  std::size_t listeners() const;

 private:
  struct Kept {
    std::uint64_t number;
    std::string owner;
    std::string text;
  };
  struct Listener {
    std::string owner;
    std::shared_ptr<Stream> stream;
  };
  void beat();
  void forget_closed();
  void make_room(const std::string& owner, std::size_t most);

  Loop& loop_;
  std::uint64_t last_ = 0;
  bool beats_ = false;
  std::deque<Kept> kept_;
  std::vector<Listener> listeners_;
};

}  // namespace vernier::server
