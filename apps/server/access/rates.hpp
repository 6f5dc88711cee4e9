#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

// How often one person may ask: so many at once, and then so many in a time.
namespace vernier::server {

enum class Pace : std::uint8_t { any, plan, heavy, verify, release };

class Rates {
 public:
  // None: it may go on, and counts. Else so many seconds to wait.
  std::optional<int> wait_of(const std::string& name, Pace pace, double now_seconds);

 private:
  struct Bucket {
    double left;
    double at;
  };
  std::map<std::pair<std::string, Pace>, Bucket> buckets_;
};

}  // namespace vernier::server
