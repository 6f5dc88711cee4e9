#include "server/metrics/metrics.hpp"

#include <fstream>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace vernier::server {
namespace {

constexpr std::array<double, 8> plan_bounds = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2};

double cpu_seconds() {
  rusage own{}, children{};
  ::getrusage(RUSAGE_SELF, &own);
  ::getrusage(RUSAGE_CHILDREN, &children);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(own.ru_utime) + seconds(own.ru_stime) + seconds(children.ru_utime) + seconds(children.ru_stime);
}

std::int64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::string one(std::string_view name, std::string_view type, const std::string& value) {
  return fmt::format("# TYPE {} {}\n{} {}\n", name, type, name, value);
}

}  // namespace

void Metrics::add_plan(double seconds) {
  ++plans_;
  plan_seconds_ += seconds;
  for (std::size_t i = 0; i < plan_bounds.size(); ++i) plan_buckets_[i] += seconds <= plan_bounds[i] ? 1 : 0;
}

std::string Metrics::text(const Gauges& now) const {
  std::string text = "# TYPE vernier_http_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    text += fmt::format("vernier_http_requests_total{{route=\"{}\",code=\"{}\"}} {}\n", key.first, key.second, count);
  }
  text += "# TYPE vernier_plan_seconds histogram\n";
  for (std::size_t i = 0; i < plan_bounds.size(); ++i) {
    text += fmt::format("vernier_plan_seconds_bucket{{le=\"{}\"}} {}\n", plan_bounds[i], plan_buckets_[i]);
  }
  text += fmt::format(
      "vernier_plan_seconds_bucket{{le=\"+Inf\"}} {}\nvernier_plan_seconds_sum {}\n"
      "vernier_plan_seconds_count {}\n",
      plans_, plan_seconds_, plans_);
  text += one("vernier_queue_depth", "gauge", std::to_string(now.queue));
  text += "# TYPE vernier_release_states gauge\n";
  for (const auto& [state, count] : now.releases) {
    text += fmt::format("vernier_release_states{{state=\"{}\"}} {}\n", state, count);
  }
  text += one("vernier_connections", "gauge", std::to_string(now.connections));
  text += one("vernier_listeners", "gauge", std::to_string(now.listeners));
  text += one("vernier_auth_failures_total", "counter", std::to_string(failed_logins_));
  text += one("vernier_slot_overruns_total", "counter", std::to_string(now.overruns));
  text += one("process_cpu_seconds_total", "counter", fmt::format("{:.3f}", cpu_seconds()));
  text += one("process_resident_memory_bytes", "gauge", std::to_string(resident_bytes()));
  return text;
}

}  // namespace vernier::server
