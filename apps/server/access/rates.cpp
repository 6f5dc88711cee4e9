#include "server/access/rates.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::server {
namespace {

struct Rule {
  double at_once;
  double per_second;
};
constexpr std::array<Rule, 5> rules = {{{0, 0}, {30, 10}, {10, 2}, {6, 0.1}, {6, 0.1}}};

}  // namespace

std::optional<int> Rates::wait_of(const std::string& name, Pace pace, double now_seconds) {
  if (pace == Pace::any) return std::nullopt;
  const Rule& rule = rules[static_cast<std::size_t>(pace)];
  const auto [found, is_new] = buckets_.try_emplace({name, pace}, Bucket{rule.at_once, now_seconds});
  Bucket& bucket = found->second;
  bucket.left = std::min(rule.at_once, bucket.left + (now_seconds - bucket.at) * rule.per_second);
  bucket.at = now_seconds;
  if (bucket.left < 1) return static_cast<int>(std::ceil((1 - bucket.left) / rule.per_second));
  bucket.left -= 1;
  return std::nullopt;
}

}  // namespace vernier::server
