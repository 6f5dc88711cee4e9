#include "vernier/plan/forecast.hpp"

#include <array>
#include <set>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::plan {
namespace {

constexpr std::array<double, 5> milestones = {0.01, 0.05, 0.5, 0.95, 0.99};
constexpr std::int64_t most_units = std::int64_t{1} << 54;  // twice the greatest threshold

template <class Known>
Bounds chance(const accounting::KeyRule& rule, const Known& law, std::int64_t units) {
  return rule.chance(law, units);
}
Bounds chance(const accounting::KeyRule&, const noise::Exponential&, std::int64_t) { return {0, 1}; }

Bounds chance(const Law& law, std::int64_t threshold, std::int64_t units) {
  const accounting::KeyRule rule(threshold);
  return std::visit([&](const auto& known) { return chance(rule, known, units); }, law);
}

// The least number of units with at least this chance. A group has at least one.
std::int64_t units_for(const Law& law, std::int64_t threshold, double wanted) {
  const auto reaches = [&](std::int64_t units) { return chance(law, threshold, units).lower >= wanted; };
  return numeric::least_integer(reaches, threshold, {1, most_units}).value_or(most_units);
}

void add_round_sizes(std::set<std::int64_t>& sizes, std::int64_t first, std::int64_t last) {
  for (std::int64_t power = 1; power <= last; power *= 10) {
    for (const std::int64_t size : {power, 2 * power, 5 * power}) {
      if (first < size && size < last) sizes.insert(size);
    }
  }
}

}  // namespace

std::vector<PublishedChance> forecast(const Law& law, std::int64_t threshold) {
  std::set<std::int64_t> sizes;
  for (const double wanted : milestones) sizes.insert(units_for(law, threshold, wanted));
  add_round_sizes(sizes, *sizes.begin(), *sizes.rbegin());
  sizes.insert(1);
  std::vector<PublishedChance> found;
  found.reserve(sizes.size());
  for (const std::int64_t units : sizes) found.push_back({units, chance(law, threshold, units)});
  return found;
}

}  // namespace vernier::plan
