#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

// Wrong tokens, by the address that they come from: whoever guesses is told to wait, and fills no log. A right token is
// taken whatever came before it, since others may come from the same address, as all do behind a proxy.
namespace vernier::server {

inline constexpr int most_guesses = 20, most_noted = 20;  // of one address, of all, in a minute
inline constexpr std::int64_t guess_seconds = 60;
inline constexpr std::size_t most_guessing = 10'000;  // addresses

class Guesses {
 public:
  struct Count {
    bool is_too_many;
    bool is_noted;           // worth a line of the audit log
    std::int64_t not_noted;  // how many were not, since the last that was
  };
  Count add(const std::string& address, std::int64_t now);

 private:
  struct Minute {
    int count = 0;
    std::int64_t since = 0;
  };
  static int count_in(Minute& minute, std::int64_t now);
  bool has_room(const std::string& address, std::int64_t now);

  std::map<std::string, Minute> by_address_;
  Minute all_;
  std::int64_t not_noted_ = 0;
};

}  // namespace vernier::server
