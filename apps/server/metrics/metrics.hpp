#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

// Counts for Prometheus, as text. Nothing of it depends on data: of releases it has states, not times.
namespace vernier::server {

struct Gauges {
  std::size_t queue = 0, connections = 0, listeners = 0;
  std::int64_t overruns = 0;                         // releases that were told at a late slot
  std::map<std::string, std::size_t> releases = {};  // by state
};

class Metrics {
 public:
  void count(std::string_view route, int code) { ++requests_[{std::string(route), code}]; }
  void count_failed_login() { ++failed_logins_; }
  void add_plan(double seconds);

  std::string text(const Gauges& now) const;

 private:
  std::map<std::pair<std::string, int>, std::int64_t> requests_;
  std::int64_t failed_logins_ = 0, plans_ = 0;
  double plan_seconds_ = 0;
  std::array<std::int64_t, 8> plan_buckets_{};
};

}  // namespace vernier::server
