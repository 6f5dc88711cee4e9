#include "release/law/drawn_numbers.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace vernier::testing {
namespace {

// About equal parts of the law, and thin ones at the ends.
template <class Law>
std::vector<std::int64_t> cell_ends(const Law& law) {
  std::vector<std::int64_t> ends;
  for (const double p : {0.005, 0.02, 0.05, 0.1, 0.16, 0.23, 0.3, 0.37, 0.44, 0.5, 0.56, 0.63, 0.7, 0.77, 0.84, 0.9,
                         0.95, 0.98, 0.995}) {
    const std::int64_t end = law.quantile(*Probability::of(p)).value();
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  return ends;
}

template <class Law>
std::vector<double> cell_chances(const Law& law, const std::vector<std::int64_t>& ends) {
  std::vector<double> chances;
  double below = 0;
  for (const std::int64_t end : ends) {
    const double up_to = law.cumulative(end).upper;
    chances.push_back(up_to - below);
    below = up_to;
  }
  chances.push_back(1 - below);
  return chances;
}

// Points in the order of a key, in so many cells of about equal chance.
template <class Key>
std::map<Points, std::size_t> cells_by(const Chances& chances, std::size_t count, const Key& key) {
  std::vector<Points> order;
  for (const auto& [points, chance] : chances) order.push_back(points);
  std::stable_sort(order.begin(), order.end(), [&](const Points& a, const Points& b) { return key(a) < key(b); });
  std::map<Points, std::size_t> cells;
  double below = 0;
  for (const Points& points : order) {
    cells[points] = std::min(count - 1, static_cast<std::size_t>(below * static_cast<double>(count)));
    below += chances.at(points);
  }
  return cells;
}

std::vector<double> in_cells(const Chances& chances, const std::map<Points, std::size_t>& cells, std::size_t count) {
  std::vector<double> all(count);
  for (const auto& [points, chance] : chances) {
    if (const auto found = cells.find(points); found != cells.end()) all[found->second] += chance;
  }
  return all;
}

}  // namespace

Drawn additive_drawn(const std::string& name, const plan::AdditiveLaw& law, const std::vector<std::int64_t>& noise) {
  return std::visit(
      [&](const auto& known) {
        const std::vector<std::int64_t> ends = cell_ends(known);
        Drawn drawn{name,
                    {},
                    cell_chances(known, ends),
                    cell_chances(rescaled(known, 0.9), ends),
                    cell_chances(rescaled(known, 1.1), ends)};
        for (const std::int64_t one : noise) {
          drawn.cells.push_back(
              static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), one) - ends.begin()));
        }
        return drawn;
      },
      law);
}

std::vector<Drawn> chosen_drawn(const std::string& name, const std::array<Chances, 3>& chances,
                                const std::vector<Points>& draws) {
  constexpr std::size_t count = 16;
  const std::size_t moving = draws.front().front() == draws.back().front() ? draws.front().size() - 1 : 0;
  std::vector<Drawn> made;
  for (const bool is_by_place : {false, true}) {
    const auto key = [&](const Points& points) {
      return is_by_place ? static_cast<double>(points[moving]) : -chances[0].at(points);
    };
    const auto cells = cells_by(chances[0], count, key);
    Drawn drawn{name + (is_by_place ? " by place" : " by chance"),
                {},
                in_cells(chances[0], cells, count),
                in_cells(chances[1], cells, count),
                in_cells(chances[2], cells, count)};
    for (const Points& points : draws) {
      const auto found = cells.find(points);
      drawn.cells.push_back(found == cells.end() ? 0 : found->second);
      EXPECT_TRUE(found != cells.end()) << name << ": points that cannot be chosen";
    }
    made.push_back(drawn);
  }
  return made;
}

}  // namespace vernier::testing
